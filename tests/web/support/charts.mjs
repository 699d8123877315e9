// Features of every chart (docs/serve.md): values on hover and as a table, data as CSV, picture as SVG.

import assert from "node:assert/strict";
import { drawAll } from "./browser.mjs";

// Draws all charts of the page and fails if a feature is missing. Returns their ids in page order.
export async function wholeCharts(page) {
  await drawAll(page);
  const found = await page.evaluate(lookThrough);
  const pictures = await alone(page, found.map(({ svg }) => svg));
  const lacking = found.flatMap(({ id, problem, lacks }, i) => {
    const all = pictures[i] ? lacks : [...lacks, "a picture as SVG"];
    return problem === null && all.length === 0 ? [] : [{ id, problem, lacks: all }];
  });
  assert.deepEqual(lacking, []);
  return found.map(({ id }) => id);
}

// Which SVG files are complete without the styles of the page.
async function alone(page, texts) {
  const blank = await page.context().newPage();
  const drawn = await blank.evaluate((files) => files.map((text) => {
    const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    return root.localName === "svg" && root.querySelector("path, circle, rect, line, image") !== null && !text.includes("var(--");
  }), texts);
  await blank.close();
  return drawn;
}

// Runs in the page. Buttons are found by their accessible name.
async function lookThrough() {
  const button = (figure, name) =>
    [...figure.querySelectorAll("button")].find((each) => name.test(each.getAttribute("aria-label") ?? ""));

  // Content that a download button saves.
  const saved = async (pressed) => {
    const { createObjectURL } = URL;
    let file = null;
    URL.createObjectURL = (blob) => ((file = blob), "");
    HTMLAnchorElement.prototype.click = () => {};
    pressed?.click();
    delete HTMLAnchorElement.prototype.click;
    URL.createObjectURL = createObjectURL;
    return (await file?.text()) ?? "";
  };
  const rowsShown = (toggle) => {
    toggle?.click();
    const rows = document.getElementById(toggle?.getAttribute("aria-controls"))?.querySelectorAll("tbody tr").length ?? 0;
    toggle?.click();
    return rows;
  };

  // A tip appears within 40 pixels, so steps of 40 pixels find one.
  const tipOf = async (figure, settled) => {
    const { left, top, right, bottom } = figure.querySelector(".canvas").getBoundingClientRect();
    for (let y = top + 10; y < bottom; y += 40) {
      for (let x = left + 10; x < right; x += 40) {
        const svg = figure.querySelector(".canvas svg");
        const send = (type) => svg.dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y, pointerType: "mouse" }));
        send("pointerenter");
        send("pointermove");
        await settled?.();
        const text = [...svg.querySelectorAll("[aria-label=tip]")].map((each) => each.textContent).join(" ");
        send("pointerleave");
        if (text !== "") return text;
      }
    }
    return "";
  };
  // Charts with several facets show tips one frame later.
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

  const found = [];
  for (const figure of document.querySelectorAll("main figure.chart")) {
    const problem = figure.querySelector(".problem")?.textContent ?? null;
    const tip = problem === null ? (await tipOf(figure)) || (await tipOf(figure, frame)) : "";
    const [csv, svg] = [await saved(button(figure, /CSV/)), await saved(button(figure, /SVG/))];
    const has = {
      "marks": figure.querySelectorAll("svg :is(path, circle, rect, line, text, image)").length >= 3,
      "a name": figure.querySelector("[role=img][aria-label]") !== null,
      "values on hover": /\d/.test(tip),
      "a table": rowsShown(button(figure, /table/)) > 0,
      "data as CSV": csv.trim().split("\n").length > 1,
    };
    found.push({ id: figure.dataset.chart, problem, svg, lacks: Object.keys(has).filter((each) => !has[each]) });
  }
  return found;
}
