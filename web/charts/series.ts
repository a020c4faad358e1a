/** One line or one part of each bar. */
export interface Series {
  name: string;
  values: readonly number[];
}

/** Colours of series in their order, told apart by lightness as well. */
export const COLOURS = ['var(--brand)', 'var(--info)', 'var(--warn)', 'var(--bad)', 'var(--soft)'] as const;

/** A series' name, total and last value, in words. */
export function summaryOf(title: string, series: readonly Series[]): string {
  const parts = series.map(({ name, values }) => {
    const total = values.reduce((sum, value) => sum + value, 0);
    return `${name}: ${total.toLocaleString('en')}`;
  });
  return `${title}. ${parts.join('; ')}.`;
}

/** The rows of a table that says the same as the chart. */
export function tableOf(labels: readonly string[], series: readonly Series[]): (string | number)[][] {
  return labels.map((label, at) => [label, ...series.map(({ values }) => values[at] ?? 0)]);
}
