// Draw the diagrams of a page, in the colours of the theme, and again if the theme changes.
const sources = new Map([...document.querySelectorAll("pre.mermaid")].map((pre) => [pre, pre.textContent]));

async function draw() {
  const style = getComputedStyle(document.body);
  const color = (name) => style.getPropertyValue(`--color-${name}`).trim();
  mermaid.initialize({
    startOnLoad: false,
    theme: "base",
    fontFamily: style.fontFamily,
    themeVariables: {
      background: color("background-primary"),
      primaryColor: color("background-secondary"),
      primaryBorderColor: color("brand-primary"),
      primaryTextColor: color("foreground-primary"),
      lineColor: color("foreground-muted"),
      clusterBkg: color("background-primary"),
      clusterBorder: color("background-border"),
      titleColor: color("foreground-secondary"),
      edgeLabelBackground: color("background-primary"),
    },
  });
  for (const [pre, source] of sources) {
    pre.textContent = source;
    pre.removeAttribute("data-processed");
  }
  await mermaid.run({ nodes: [...sources.keys()] });
}

draw();
new MutationObserver(draw).observe(document.body, { attributeFilter: ["data-theme"] });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
