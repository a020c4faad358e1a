import { Badge } from '../../../ui/badge.tsx';
import { words } from '../../../words/drips/machine.ts';
import { Canvas } from '../canvas/canvas.tsx';
import { useEditing } from '../editing.ts';
import { entryInWords } from '../model/in-words.ts';

const NO_PROBLEMS = new Map<string, string>();

/** The steps as they stand in the editor, with the names of those who are at each of them. */
export function MachineCanvas({ peopleAt }: { peopleAt(part: string): readonly string[] }) {
  const { draft, names } = useEditing();
  return (
    <Canvas
      label={words.canvas}
      steps={draft.steps}
      names={names}
      entry={entryInWords(draft, names)}
      problems={NO_PROBLEMS}
      selected={null}
      onSelect={null}
      editing={null}
      foot={(part) =>
        peopleAt(part).map((name, at) => (
          <Badge key={`${name}/${at}`} tone="brand">
            {name}
          </Badge>
        ))
      }
    />
  );
}
