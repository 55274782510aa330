#include "header.h"
#include "other.inc"

double includes(int n)
{
    return from_header(n) + from_other(SCALE);
}
