import { Notice } from '../../../ui/badge.tsx';
import { words } from '../../../words/builder/properties.ts';
import type { Element } from '../draft/draft.ts';

/** Something in the form that the product does not know: it is shown as it is written, and stays so. */
export function StrangerProperties({ element, kind }: { element: Element; kind: 'unknown' | 'ornament' }) {
  return (
    <>
      <Notice tone="plain">{kind === 'unknown' ? words.unknownKind : words.ornamentKind}</Notice>
      <pre
        tabIndex={0}
        aria-label={words.asWritten}
        className="overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs"
      >
        {JSON.stringify(element.raw, null, 2)}
      </pre>
    </>
  );
}
