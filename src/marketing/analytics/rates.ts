import type { Counts } from './counts.ts';
import type { Shown } from './small-cells.ts';

/** What part of mails was taken, refused, read, followed and answered by leaving, from 0 to 1. */
export function ratesOf(counts: Shown<keyof Counts>) {
  const left = sum(counts.unsubscribed, counts.global_unsubscribed);
  return {
    delivery_rate: rate(counts.delivered, counts.sent),
    bounce_rate: rate(counts.bounced, counts.sent),
    view_rate: rate(counts.viewed, counts.delivered),
    click_rate: rate(counts.clicked, counts.delivered),
    unsubscribe_rate: rate(left, counts.delivered),
  };
}

function sum(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

function rate(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}
