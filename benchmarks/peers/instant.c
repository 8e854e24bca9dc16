/* Answers immediately: the first card of its hand, or the first row. Reads the phase first or last, one match or many. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char buffer[1 << 16];
static size_t start, end;

/* The next line without its end; NULL when the input has ended. */
static char *line(void) {
    for (size_t at = start;; at++) {
        if (at == end) {
            if (start > 0) {
                memmove(buffer, buffer + start, end - start);
                at -= start, end -= start, start = 0;
            }
            ssize_t more = read(0, buffer + end, sizeof buffer - end);
            if (more <= 0) return NULL;
            end += more;
        }
        if (buffer[at] == '\n') {
            char *found = buffer + start;
            buffer[at] = 0, start = at + 1;
            return found;
        }
    }
}

static int words(const char *text) {
    int count = 0;
    for (; *text; text++) count += !isspace((unsigned char)*text) && (!text[1] || isspace((unsigned char)text[1]));
    return count;
}

int main(void) {
    for (char *first; (first = line());) {
        if (words(first) == 2) continue; /* "4 playerId": another match starts */
        int phase_first = isalpha((unsigned char)*first) != 0, row = phase_first && first[7] == 'L', card = 0;
        for (int number = 1; number < 13; number++) {
            char *next = line();
            if (!next) return 1;
            if (number == (phase_first ? 12 : 11)) card = atoi(next);
            if (number == 12 && !phase_first) row = next[7] == 'L';
        }
        char answer[] = "PICK 0\n", play[16];
        if (row ? write(1, answer, 7) != 7 : write(1, play, sprintf(play, "PLAY %d\n", card)) < 7) return 1;
    }
    return 0;
}
