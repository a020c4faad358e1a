import { maskMustaches, type Span } from '../../../email/index.ts';
import { findTags } from './start-tags.ts';

/** Where MJML holds what mail programs show beside the subject. */
export function mjmlPreviews(mjml: string): Span[] {
  const { startTags, endTags } = findTags(maskMustaches(mjml));
  const ends = endTags.filter(isPreview).map(({ start }) => start);
  return startTags
    .filter(isPreview)
    .map(({ end }) => ({ from: end, to: ends.find((start) => start >= end) ?? mjml.length }));
}

function isPreview({ name }: { name: string }): boolean {
  return name === 'mj-preview';
}
