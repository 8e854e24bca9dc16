/* Answers any input with a line, at once: what a pair of pipes costs by itself. */
#include <unistd.h>

int main(void) {
    char buffer[1 << 16];
    while (read(0, buffer, sizeof buffer) > 0)
        if (write(1, "PLAY 000\n", 9) != 9) return 1;
    return 0;
}
