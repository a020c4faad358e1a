import { type Dot, END, ENTRY, placeId } from './links.ts';
import { type Arm, armsOf, type Fork, isFork, type Step } from './step.ts';

interface Corner {
  x: number;
  y: number;
}

/** How large a step is drawn, in pixels. */
export const STEP = { width: 264, height: 104 };
const BESIDE = 40;
/** Room for the arrows of a fork to turn in. */
const BEND = 12;

/** How large a dot is drawn, in pixels. */
export function sizeOf(dot: Dot, isEditable: boolean): { width: number; height: number } {
  if (dot.kind === 'end') return { width: STEP.width, height: 44 };
  return dot.kind === 'place' ? placeSize(dot.beginsArm, isEditable) : STEP;
}

/**
 * The upper left corner of each dot, and how wide all of them are: one below the other, the ways of a fork beside each
 * other and as long as the longest of them, so that nothing is in anything's way and the same steps always look alike.
 */
export function layOut(steps: readonly Step[], isEditable: boolean): { corners: Map<string, Corner>; width: number } {
  const corners = new Map<string, Corner>();
  const below = isEditable ? 16 : 14;
  const width = widthOf(steps);
  const put = (id: string, size: { width: number; height: number }, middle: number, y: number) => {
    corners.set(id, { x: middle - size.width / 2, y });
    return y + size.height + below;
  };

  /** Lays a list around a vertical line, and gives where it ends. */
  const putList = (list: readonly Step[], fork: string | null, arm: Arm, middle: number, top: number): number => {
    const putPlace = (index: number, y: number) =>
      put(placeId({ fork, arm, index }), placeSize(fork !== null && index === 0, isEditable), middle, y);
    const end = list.reduce((y, step, index) => {
      const next = put(step.id, STEP, middle, putPlace(index, y));
      return isFork(step) ? putArms(step, middle, next + BEND) : next;
    }, top);
    return putPlace(list.length, end);
  };

  const putArms = (fork: Fork, middle: number, top: number): number => {
    const arms = armsOf(fork);
    let left = middle - armsWidth(fork) / 2;
    const ends = arms.map((arm) => {
      const wide = widthOf(fork[arm]);
      const end = putList(fork[arm], fork.id, arm, left + wide / 2, top);
      left += wide + BESIDE;
      return end;
    });
    return Math.max(...ends) + BEND;
  };

  const first = put(ENTRY, STEP, width / 2, 0);
  put(END, { width: STEP.width, height: 44 }, width / 2, putList(steps, null, 'then', width / 2, first));
  return { corners, width };
}

function placeSize(beginsArm: boolean, isEditable: boolean): { width: number; height: number } {
  if (beginsArm) return { width: 132, height: isEditable ? 64 : 28 };
  return isEditable ? { width: 36, height: 36 } : { width: 8, height: 8 };
}

function widthOf(list: readonly Step[]): number {
  return Math.max(STEP.width, ...list.map((step) => armsWidth(step)));
}

function armsWidth(step: Step): number {
  if (!isFork(step)) return STEP.width;
  const widths = armsOf(step).map((arm) => widthOf(step[arm]));
  return widths.reduce((sum, width) => sum + width, BESIDE * (widths.length - 1));
}
