import { words } from '../../../words/builder.ts';
import { useBuilder } from '../builder-context.ts';
import { kindOfElement } from '../draft/kinds.ts';
import { findElement, findPage } from '../draft/tree.ts';
import { kindInWords, pageInWords } from '../place-in-words.ts';
import { BoxProperties } from './box-properties.tsx';
import { HeadingProperties } from './heading-properties.tsx';
import { PageProperties } from './page-properties.tsx';
import { QuestionProperties } from './question-properties.tsx';
import { StrangerProperties } from './stranger-properties.tsx';

/** The properties of what is selected. Escape leads back to where it stands. */
export function Properties() {
  const { draft, selected, focusOn, mayEdit } = useBuilder();
  return (
    <div
      data-properties
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || selected === null) return;
        event.stopPropagation();
        focusOn('row');
      }}
    >
      <fieldset disabled={!mayEdit} className="flex min-w-0 flex-col gap-4">
        <legend className="sr-only">{words.properties}</legend>
        <Selected key={selected} draft={draft} selected={selected} />
      </fieldset>
    </div>
  );
}

function Selected({ draft, selected }: Pick<ReturnType<typeof useBuilder>, 'draft' | 'selected'>) {
  const page = findPage(draft, selected);
  if (page !== null) {
    return (
      <>
        <Kind words={pageInWords(draft, page)} />
        <PageProperties page={page} />
      </>
    );
  }
  const element = findElement(draft, selected)?.element;
  if (element === undefined) return <p className="text-sm text-soft">{words.nothingSelected}</p>;
  const kind = kindOfElement(element);
  return (
    <>
      <Kind words={kindInWords(element)} />
      {kind === 'heading' && <HeadingProperties element={element} />}
      {kind === 'section' && <BoxProperties element={element} />}
      {(kind === 'unknown' || kind === 'ornament') && <StrangerProperties element={element} kind={kind} />}
      {kind !== 'heading' && kind !== 'section' && kind !== 'unknown' && kind !== 'ornament' && (
        <QuestionProperties element={element} kind={kind} />
      )}
    </>
  );
}

function Kind({ words: said }: { words: string }) {
  return <p className="text-sm font-semibold text-brand">{said}</p>;
}
