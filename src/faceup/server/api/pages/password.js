// The page behind a one-time link: the key is in the link's fragment, which browsers send to nobody.
"use strict";

const form = document.querySelector("form");
const said = document.querySelector("output");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const answer = await fetch("api/account/reset", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ key: location.hash.slice(1), new: form.elements.namedItem("new").value }),
    });
    if (answer.ok) {
      history.replaceState(null, "", location.pathname);
      form.reset();
      said.textContent = "It is kept, and you are logged in here.";
    } else {
      said.textContent = (await answer.json()).error.message;
    }
  } catch {
    said.textContent = "The server does not answer: try again.";
  }
});
