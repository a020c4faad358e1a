import '@xyflow/react/dist/style.css';
import './canvas.css';
import {
  applyNodeChanges,
  Background,
  Controls,
  type Edge,
  MarkerType,
  MiniMap,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { words as kinds } from '../../../words/drips/steps.ts';
import { words } from '../../../words/drips.ts';
import { layOut, STEP, sizeOf } from '../model/lay-out.ts';
import { drawSteps } from '../model/links.ts';
import type { Step } from '../model/step.ts';
import { standingsOf } from '../model/tree.ts';
import { CanvasContext, type CanvasFacts } from './canvas-context.ts';
import { type DotNode, NODE_TYPES } from './nodes.tsx';

type CanvasProps = Omit<CanvasFacts, 'dropAt' | 'armName'> & { label: string; steps: readonly Step[] };

const NARROWEST = 0.75;

/** The steps as a picture that can be moved, zoomed and, where that is wanted, edited. */
export function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
}

function Drawing({ label, steps, ...facts }: CanvasProps) {
  const isEditable = facts.editing !== null;
  const { nodes: laidOut, edges, width } = useMemo(() => draw(steps, isEditable), [steps, isEditable]);
  const [nodes, setNodes] = useState(laidOut);
  const [dropAt, setDropAt] = useState<string | null>(null);
  const frame = useRef<HTMLElement>(null);
  const { getIntersectingNodes, setCenter, getViewport, setViewport } = useReactFlow<DotNode>();

  const settle = () =>
    setNodes((before) => {
      const measured = new Map(before.map((node) => [node.id, node.measured]));
      return laidOut.map((node) => {
        const known = measured.get(node.id);
        return known === undefined ? node : { ...node, measured: known };
      });
    });
  useEffect(settle, [laidOut]);

  // What was just added or chosen elsewhere comes into sight.
  useEffect(() => {
    const node = laidOut.find(({ id }) => id === facts.selected);
    const shown = frame.current;
    if (node === undefined || shown === null) return;
    const { x, y, zoom } = getViewport();
    const [left, top] = [node.position.x * zoom + x, node.position.y * zoom + y];
    const [right, bottom] = [left + STEP.width * zoom, top + STEP.height * zoom];
    if (left >= 0 && top >= 0 && right <= shown.clientWidth && bottom <= shown.clientHeight) return;
    const middle = middleOf(node);
    void setCenter(middle.x, middle.y, { zoom });
  }, [facts.selected, laidOut]);

  const placeUnder = (node: DotNode): DotNode | undefined => {
    const here = middleOf(node);
    const far = (place: DotNode) => Math.hypot(middleOf(place).x - here.x, middleOf(place).y - here.y);
    return getIntersectingNodes(node)
      .filter(({ data }) => data.dot.kind === 'place')
      .toSorted((one, other) => far(one) - far(other))[0];
  };

  const armName = (fork: string, arm: 'then' | 'else') => {
    const type = standingsOf(steps).find(({ step }) => step.id === fork)?.step.type;
    return type === 'wait' ? kinds.arms.wait[arm] : kinds.arms.branch[arm];
  };

  return (
    <CanvasContext value={{ ...facts, dropAt, armName }}>
      <section
        ref={frame}
        aria-label={label}
        className="drip-canvas h-[max(30rem,calc(100dvh-19rem))] overflow-hidden rounded-lg border"
      >
        <ReactFlow<DotNode>
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          onNodesChange={(changes) => setNodes((before) => applyNodeChanges(changes, before))}
          onInit={() => {
            const space = frame.current?.clientWidth ?? 800;
            const zoom = Math.min(1, Math.max(NARROWEST, space / (width + 64)));
            void setViewport({ x: (space - width * zoom) / 2, y: 16, zoom });
          }}
          onNodeDrag={(_event, node) => setDropAt(placeUnder(node)?.id ?? null)}
          onNodeDragStop={(_event, node) => {
            const under = placeUnder(node)?.data.dot;
            setDropAt(null);
            settle();
            if (under?.kind === 'place') facts.editing?.onMove(node.id, under.place);
          }}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          deleteKeyCode={null}
          minZoom={0.2}
          maxZoom={1.5}
          zoomOnDoubleClick={false}
          preventScrolling={false}
          zoomOnScroll={false}
          panOnScroll={false}
          ariaLabelConfig={words.canvasControls}
          proOptions={{ hideAttribution: true }}
        >
          <Background />
          <Controls showInteractive={false} />
          <MiniMap
            pannable
            ariaLabel={words.minimap}
            className="hidden! md:block!"
            style={{ width: 130, height: 90 }}
          />
        </ReactFlow>
      </section>
    </CanvasContext>
  );
}

function draw(steps: readonly Step[], isEditable: boolean): { nodes: DotNode[]; edges: Edge[]; width: number } {
  const { dots, links } = drawSteps(steps);
  const { corners, width } = layOut(steps, isEditable);
  const nodes = dots.map((dot) => ({
    id: dot.id,
    type: dot.kind,
    position: corners.get(dot.id) ?? { x: 0, y: 0 },
    data: { dot },
    draggable: isEditable && dot.kind === 'step',
    // What cannot be dragged has buttons in it all the same.
    style: { pointerEvents: 'all' as const },
    ...sizeOf(dot, isEditable),
  }));
  const edges = links.map(({ from, to, isJump }) => ({
    id: `${from}>${to}`,
    source: from,
    target: to,
    type: 'smoothstep',
    pathOptions: { offset: isJump ? 24 : 7, borderRadius: 8 },
    sourceHandle: isJump ? 'aside' : 'on',
    targetHandle: isJump ? 'aside' : 'on',
    ...(isJump ? { className: 'drip-jump', markerEnd: { type: MarkerType.ArrowClosed, color: 'var(--brand)' } } : {}),
  }));
  return { nodes, edges, width };
}

function middleOf({ position, data }: DotNode): { x: number; y: number } {
  const { width, height } = sizeOf(data.dot, true);
  return { x: position.x + width / 2, y: position.y + height / 2 };
}
