// Parser for server-sent events: lines end with CR, LF or both; an empty line ends an event; a line that starts with a
// colon is a comment.

export interface StreamEvent {
  type: string;
  data: string;
  id: string | null; // the last id seen
}

export class EventParser {
  private rest = "";
  private type = "";
  private data: string[] = [];
  private id: string | null = null;

  feed(piece: string): StreamEvent[] {
    this.rest += piece;
    const events: StreamEvent[] = [];
    for (;;) {
      const match = /\r\n|\n|\r(?!$)/.exec(this.rest);
      if (!match) return events;
      const line = this.rest.slice(0, match.index);
      this.rest = this.rest.slice(match.index + match[0].length);
      const event = this.line(line);
      if (event) events.push(event);
    }
  }

  private line(line: string): StreamEvent | null {
    if (line === "") return this.finish();
    const [, field, value] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === "event") this.type = value ?? "";
    else if (field === "data") this.data.push(value ?? "");
    else if (field === "id") this.id = value ?? "";
    return null;
  }

  private finish(): StreamEvent | null {
    const event = this.data.length === 0 ? null : { type: this.type || "message", data: this.data.join("\n"), id: this.id };
    this.type = "";
    this.data = [];
    return event;
  }
}
