import SignaturePad, { type PointGroup } from 'signature_pad';

/** How high the pad is for its width, and how wide at most in CSS pixels. */
const HEIGHT = 0.4;
const WIDEST = 600;

/** A field to draw in that keeps what was drawn when it changes its size. */
export interface Pad {
  clear(): void;
}

/** Draws on a canvas by finger, pen or mouse, and tells with each stroke what it looks like as a PNG. */
export function startPad(canvas: HTMLCanvasElement, earlier: string, drawn: (image: string) => void): Pad {
  const pad = new SignaturePad(canvas, { penColor: '#00114d' });
  let width = 0;
  let image = earlier;
  const fit = (): void => {
    const wanted = Math.min(canvas.parentElement?.clientWidth ?? 0, WIDEST);
    if (wanted === 0 || wanted === width) return;
    const scale = width === 0 ? 1 : wanted / width;
    const strokes = pad.toData();
    width = wanted;
    resize(canvas, width);
    pad.clear();
    if (strokes.length > 0) pad.fromData(strokes.map((stroke) => scaled(stroke, scale)));
    else if (image !== '') pad.fromDataURL(image, { ratio: 1, width, height: width * HEIGHT }).catch(() => undefined);
  };
  // A new signature takes the place of the one that was sent before.
  pad.addEventListener('beginStroke', () => {
    if (pad.toData().length === 0) canvas.getContext('2d')?.clearRect(0, 0, canvas.width, canvas.height);
  });
  pad.addEventListener('endStroke', () => {
    image = pad.toDataURL('image/png');
    drawn(image);
  });
  fit();
  window.addEventListener('resize', fit);
  return {
    clear: () => {
      pad.clear();
      image = '';
      drawn('');
    },
  };
}

/** As many points as the screen has, so that the drawing is sharp. */
function resize(canvas: HTMLCanvasElement, width: number): void {
  const ratio = Math.max(window.devicePixelRatio || 1, 1);
  canvas.width = width * ratio;
  canvas.height = width * HEIGHT * ratio;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${width * HEIGHT}px`;
  canvas.getContext('2d')?.scale(ratio, ratio);
}

function scaled(stroke: PointGroup, scale: number): PointGroup {
  return { ...stroke, points: stroke.points.map((point) => ({ ...point, x: point.x * scale, y: point.y * scale })) };
}
