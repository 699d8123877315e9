// Plot puts a <style> into each SVG. Ours come out before they reach the page: the content security policy needs no
// exception for them, and thirty charts do not bring thirty style sheets. theme.css holds the same rules for the page,
// and this text goes into exported files.

export const plotClass = "ergon-plot";

export const plotStyle = `:where(.${plotClass}) {
  --plot-background: white;
  display: block;
  height: auto;
  height: intrinsic;
  max-width: 100%;
}
:where(.${plotClass} text),
:where(.${plotClass} tspan) {
  white-space: pre;
}`;

export function withoutStyle<E extends Element>(element: E): E {
  for (const style of element.querySelectorAll("style")) style.remove();
  return element;
}
