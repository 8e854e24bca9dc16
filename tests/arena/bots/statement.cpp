// From the arena's statement alone, as a newcomer writes it: the phase is read first, and the loop never ends.
#include <iostream>
#include <string>
#include <vector>

int main() {
    int players, me;
    std::cin >> players >> me;
    while (true) {
        std::string phase;
        std::cin >> phase;
        for (int player = 0, last; player < players; player++) std::cin >> last;
        std::vector<std::vector<int>> rows(4);
        for (auto &row : rows) {
            int size;
            std::cin >> size;
            row.resize(size);
            for (int &card : row) std::cin >> card;
        }
        for (int player = 0, score; player < players; player++) std::cin >> score;
        int size;
        std::cin >> size;
        std::vector<int> hand(size);
        for (int &card : hand) std::cin >> card;
        if (phase == "CHOOSE_LINE_TO_PICK") {
            int shortest = 0;
            for (int row = 1; row < 4; row++)
                if (rows[row].size() < rows[shortest].size()) shortest = row;
            std::cerr << "[picks=" << shortest << "]" << std::endl;
            std::cout << "PICK " << shortest << " sigh" << std::endl;
        } else {
            std::cout << "PLAY " << hand.at(hand.size() / 2) << std::endl;
        }
    }
}
