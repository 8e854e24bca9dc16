// The order of search results; Sphinx puts this into its search. Pages come before entries of functions and classes,
// guides before references, and exact keywords (docs/extensions/comments.py) before all.

// Sphinx counts the best word of a page only. Each further word in its title, headings or keywords counts here.
const titleWords = page => {
  const { docnames, titleterms } = Search._index;
  const [, words] = Search._parseQuery(new URLSearchParams(location.search).get("q") ?? "");
  const number = docnames.indexOf(page);
  return [...words].filter(word => Object.hasOwn(titleterms, word) && [titleterms[word]].flat().includes(number)).length;
};

const PARTS = [
  [/^(tutorials|how-to)\//, 2],
  [/^reference\/python\//, -1],
  [/\/(index|benchmarks|glossary)$/, 0],
];

var Scorer = {
  score: ([page, , , , score, , kind]) =>
    score + (PARTS.find(([pattern]) => pattern.test(page))?.[1] ?? 1) + (kind === "text" ? 4 * Math.max(0, titleWords(page) - 1) : 0),
  objNameMatch: 9,
  objPartialMatch: 2,
  objPrio: { 0: 1, 1: 0, 2: -1 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
