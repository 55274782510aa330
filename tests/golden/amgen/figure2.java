/** The paper's figure 2: a method of the same class, called from a conditional. */
class figure2 {
    private int bloco1;

    void task(boolean condicao) {
        if (condicao) {
            metodo_T(100000);
        } else {
            bloco1 = 1;
        }
    }

    void metodo_T(double y) {
        double i;
        for (i = 0; i < y; i++) {
        }
    }
}
