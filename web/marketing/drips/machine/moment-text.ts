const MOMENT = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** A moment of the virtual clock, as it is read. */
export function momentText(at: number): string {
  return MOMENT.format(at);
}
