// A bot for the arena of 6 nimmt!, written from its statement; it reads the phase first.
// It plays the card that comes closest behind a row with room, and takes the cheapest row.
#include <iostream>
#include <string>
#include <vector>

using Cards = std::vector<int>;

int cows(int card) {
    if (card == 55) return 7;
    if (card % 11 == 0) return 5;
    if (card % 10 == 0) return 3;
    return card % 5 == 0 ? 2 : 1;
}

int cows(const Cards& cards) {
    int sum = 0;
    for (int card : cards) sum += cows(card);
    return sum;
}

Cards read(int count) {
    Cards numbers(count);
    for (int& number : numbers) std::cin >> number;
    return numbers;
}

Cards read() {
    int count = 0;
    std::cin >> count;
    return read(count);
}

// The cost of playing the card if no other seat played: the heads, then the distance to its row.
int cost(int card, const std::vector<Cards>& rows, int cheapest) {
    const Cards* best = nullptr;
    for (const Cards& row : rows)
        if (row.back() < card && (!best || row.back() > best->back())) best = &row;
    if (!best) return 1000 * cheapest;
    return (best->size() == 5 ? 1000 * cows(*best) : 0) + card - best->back();
}

int main() {
    int players = 0, me = 0;
    std::cin >> players >> me;
    for (std::string phase; std::cin >> phase;) {
        read(players);  // the last cards
        std::vector<Cards> rows;
        for (int row = 0; row < 4; ++row) rows.push_back(read());
        read(players);  // the scores
        const Cards hand = read();

        int row = 0;
        for (int other = 1; other < 4; ++other)
            if (cows(rows[other]) < cows(rows[row])) row = other;
        if (phase == "CHOOSE_LINE_TO_PICK") {
            std::cout << "PICK " << row << std::endl;
            continue;
        }
        int choice = hand[0];
        for (int card : hand)
            if (cost(card, rows, cows(rows[row])) < cost(choice, rows, cows(rows[row]))) choice = card;
        std::cout << "PLAY " << choice << " my " << hand.size() << " cards" << std::endl;
    }
}
