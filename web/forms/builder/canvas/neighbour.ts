/** The row of the canvas before or after one, whatever it stands in. */
export function neighbourOf(row: HTMLElement, by: -1 | 1): HTMLElement | undefined {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  return rows[rows.indexOf(row) + by];
}
