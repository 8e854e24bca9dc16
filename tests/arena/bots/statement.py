"""A bot written from the arena's problem statement: it reads the phase last and loops forever."""


def main() -> None:
    """Play until the input ends, which raises an error."""
    input()
    while True:
        input()  # the last cards
        rows = []
        for _ in range(4):
            size = int(input())
            rows.append(input().split())
            assert len(rows[-1]) == size
        input()  # the scores
        size = int(input())
        hand = [int(card) for card in input().split()]
        assert len(hand) == size
        if input() == "CHOOSE_CARD_TO_PLAY":
            print("PLAY", max(hand), "take", "that")  # noqa: T201 -- as newcomers do, and no flush
        else:
            print("PICK", min(range(4), key=lambda row: len(rows[row])))  # noqa: T201 -- likewise


if __name__ == "__main__":
    main()
