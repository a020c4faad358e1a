import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { DoorOpen, Flag, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from '../../../ui/classes.ts';
import { words } from '../../../words/drips/steps.ts';
import { words as page } from '../../../words/drips.ts';
import { stepInWords } from '../model/in-words.ts';
import { type Dot, END, ENTRY } from '../model/links.ts';
import { ABOUT_ENTRY } from '../model/problems.ts';
import { AddStepMenu } from './add-step-menu.tsx';
import { useCanvas } from './canvas-context.ts';
import { STEP_GROUNDS, STEP_ICONS } from './icons.ts';

export type DotNode = Node<{ dot: Dot }>;

/** How each part of a canvas is drawn. */
export const NODE_TYPES = { entry: EntryNode, step: StepNode, place: PlaceNode, end: EndNode };

function EntryNode() {
  const { entry, foot } = useCanvas();
  return (
    <Framed from={false}>
      <Tile
        part={ABOUT_ENTRY}
        ground="bg-brand text-on-brand"
        icon={<DoorOpen aria-hidden className="size-4" />}
        kind={words.entry}
        line={entry}
      >
        {foot(ENTRY)}
      </Tile>
    </Framed>
  );
}

function StepNode({ data: { dot } }: NodeProps<DotNode>) {
  const { names, foot } = useCanvas();
  if (dot.kind !== 'step') return null;
  const Icon = STEP_ICONS[dot.step.type];
  return (
    <Framed>
      <Tile
        part={dot.id}
        ground={STEP_GROUNDS[dot.step.type]}
        icon={<Icon aria-hidden className="size-4" />}
        kind={words.kinds[dot.step.type]}
        line={stepInWords(dot.step, names)}
      >
        {foot(dot.id)}
      </Tile>
    </Framed>
  );
}

function PlaceNode({ id, data: { dot } }: NodeProps<DotNode>) {
  const { editing, dropAt, armName } = useCanvas();
  if (dot.kind !== 'place') return null;
  const { place } = dot;
  const arm = dot.beginsArm && place.fork !== null ? armName(place.fork, place.arm) : null;
  return (
    <Framed>
      <div className="flex h-full flex-col items-center justify-center gap-0.5">
        {arm !== null && (
          <span className="rounded-full bg-sunken px-2.5 py-0.5 text-xs font-medium text-ink">{arm}</span>
        )}
        {editing === null ? (
          arm === null && <span className="size-2 rounded-full bg-line-strong" />
        ) : (
          <div
            className={classes(
              'nodrag nopan rounded-full border bg-surface',
              dropAt === id ? 'border-brand ring-4 ring-brand' : 'border-line-strong',
            )}
          >
            <AddStepMenu
              label={arm === null ? words.addHere : words.addHereIn(arm)}
              onAdd={(kind) => editing.onAdd(kind, place)}
            />
          </div>
        )}
      </div>
    </Framed>
  );
}

function EndNode() {
  const { foot } = useCanvas();
  return (
    <Framed to={false}>
      <div className="flex h-full items-center justify-center gap-2 rounded-full border border-line-strong bg-surface text-sm text-soft">
        <Flag aria-hidden className="size-4" />
        {words.end}
        {foot(END)}
      </div>
    </Framed>
  );
}

function Framed({ from = true, to = true, children }: { from?: boolean; to?: boolean; children: ReactNode }) {
  return (
    <>
      {from && <Handle id="on" type="target" position={Position.Top} isConnectable={false} />}
      {from && <Handle id="aside" type="target" position={Position.Right} isConnectable={false} />}
      {children}
      {to && <Handle id="on" type="source" position={Position.Bottom} isConnectable={false} />}
      {to && <Handle id="aside" type="source" position={Position.Right} isConnectable={false} />}
    </>
  );
}

interface TileProps {
  part: string;
  ground: string;
  icon: ReactNode;
  kind: string;
  line: string;
  children: ReactNode;
}

function Tile({ part, ground, icon, kind, line, children }: TileProps) {
  const { selected, onSelect, problems } = useCanvas();
  const problem = problems.get(part);
  const look = classes(
    'flex h-full w-full flex-col gap-1 rounded-lg border bg-surface p-2.5 text-left shadow-sm',
    problem === undefined ? 'border-line-strong' : 'border-bad',
    selected === part && 'ring-2 ring-brand',
  );
  const content = (
    <>
      <span className="flex w-full items-center gap-2">
        <span className={classes('grid size-6 shrink-0 place-items-center rounded', ground)}>{icon}</span>
        <span className="grow truncate text-xs font-semibold text-soft">{kind}</span>
        {problem !== undefined && (
          <span className="text-bad" title={problem}>
            <TriangleAlert aria-hidden className="size-4" />
            <span className="sr-only">{`${page.problem}: ${problem}`}</span>
          </span>
        )}
      </span>
      <span className="line-clamp-2 w-full grow text-sm break-words">{line}</span>
      <span className="flex w-full min-w-0 gap-2 truncate text-xs text-soft tabular-nums">{children}</span>
    </>
  );
  if (onSelect === null) return <div className={look}>{content}</div>;
  return (
    <button type="button" className={look} aria-pressed={selected === part} onClick={() => onSelect(part)}>
      {content}
    </button>
  );
}
