// A bot for any game: it reads lines of JSON without a JSON library and plays a random answer.
#include <iostream>
#include <random>
#include <string>
#include <vector>

int main() {
    std::mt19937 random(std::random_device{}());
    const std::string decision = "{\"answers\":[";
    for (std::string line; std::getline(std::cin, line);) {
        if (line.compare(0, decision.size(), decision) != 0) continue;  // the start of a match
        std::vector<std::string> answers;
        for (size_t at = decision.size(); line[at] == '"';) {
            const size_t end = line.find('"', at + 1);
            answers.push_back(line.substr(at + 1, end - at - 1));
            at = end + (line[end + 1] == ',' ? 2 : 1);
        }
        std::cout << answers[random() % answers.size()] << std::endl;  // endl flushes
    }
}
