import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { words } from '../../../words/builder.ts';
import { words as shared } from '../../../words/shared.ts';
import { useBuilder } from '../builder-context.ts';
import type { Draft, Element } from '../draft/draft.ts';
import { mayStandIn } from '../draft/edit.ts';
import { isContainer } from '../draft/kinds.ts';
import { allElements, findElement, listIn, type Spot, spotOf } from '../draft/tree.ts';
import { elementInWords, keyInWords } from '../place-in-words.ts';

interface MoveDialogProps {
  element: Element;
  onMove(spot: Spot): void;
  onClose(): void;
}

/** Chooses a page, section or group, and the place in it, for those who do not drag. */
export function MoveDialog({ element, onMove, onClose }: MoveDialogProps) {
  const { draft } = useBuilder();
  const standing = findElement(draft, element.key);
  const [into, setInto] = useState(standing === null ? '' : spotOf(standing).into);
  const list = listIn(draft, into).filter(({ key }) => key !== element.key);
  const [behind, setBehind] = useState('');
  const move = () => {
    const index = listIn(draft, into).findIndex(({ key }) => key === behind) + 1;
    onClose();
    onMove({ into, index });
  };
  return (
    <Dialog open onClose={onClose} title={words.moveTitle(elementInWords(element))}>
      <Field label={words.moveWhere}>
        <Select
          value={into}
          onChange={(event) => {
            setInto(event.target.value);
            setBehind('');
          }}
        >
          {placesFor(draft, element).map((key) => (
            <option key={key} value={key}>
              {keyInWords(draft, key)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={words.moveBehind}>
        <Select value={behind} onChange={(event) => setBehind(event.target.value)}>
          <option value="">{words.moveFirst}</option>
          {list.map((each) => (
            <option key={each.key} value={each.key}>
              {elementInWords(each)}
            </option>
          ))}
        </Select>
      </Field>
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button look="primary" onClick={move}>
          {words.move}
        </Button>
      </Actions>
    </Dialog>
  );
}

/** The pages, sections and groups in which an element can stand, in their order. */
function placesFor(draft: Draft, element: Element): string[] {
  const boxes = allElements(draft).filter(
    (each) => isContainer(each.element) && mayStandIn(draft, element, each.element.key),
  );
  return draft.pages.flatMap((page) => [
    page.key,
    ...boxes.filter((each) => each.page.key === page.key).map((each) => each.element.key),
  ]);
}
