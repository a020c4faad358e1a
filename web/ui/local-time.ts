/** A moment as a date-and-time control of the browser shows it, in the person's own zone. */
export function toLocalInput(moment: Date): string {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** What a date-and-time control says, as the server takes it; undefined where it says nothing. */
export function fromLocalInput(text: string): string | undefined {
  const moment = new Date(text);
  return text === '' || Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}
