import { FilePlus2 } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { words } from '../../../words/builder.ts';
import { useBuilder } from '../builder-context.ts';
import { findElement } from '../draft/tree.ts';
import { useActions } from './actions.ts';
import { useDrops } from './drag.ts';
import { PageCard } from './page-card.tsx';

/** The pages of the form in their order, as they are built. */
export function Canvas() {
  const { draft, mayEdit } = useBuilder();
  const actions = useActions();
  useDrops((dragged, spot) => {
    if (dragged.what === 'new') return actions.add(dragged.kind, spot);
    const element = findElement(draft, dragged.key)?.element;
    return element === undefined ? undefined : actions.move(element, spot);
  });
  return (
    <section aria-label={words.canvas} className="flex min-w-0 flex-col gap-4">
      <h2 className="sr-only">{words.canvas}</h2>
      {draft.pages.map((page) => (
        <PageCard key={page.key} page={page} />
      ))}
      {mayEdit && (
        <div>
          <Button icon={FilePlus2} onClick={actions.addPage}>
            {words.addPage}
          </Button>
        </div>
      )}
    </section>
  );
}
