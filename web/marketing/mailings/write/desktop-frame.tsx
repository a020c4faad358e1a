import { useEffect, useRef, useState } from 'react';
import { HtmlFrame } from '../../../ui/frame.tsx';
import { words } from '../../../words/mailings.ts';

/** As wide as mails are laid out on a computer. */
const WIDTH = 640;
const HEIGHT = 576;

/** A mail as wide as on a computer, made smaller where there is less room. */
export function DesktopFrame({ html }: { html: string }) {
  const room = useRef<HTMLDivElement>(null);
  const [scale, setScale] = useState(1);
  useEffect(() => {
    const watch = new ResizeObserver(
      ([entry]) => entry !== undefined && setScale(Math.min(1, entry.contentRect.width / WIDTH)),
    );
    watch.observe(room.current as HTMLDivElement);
    return () => watch.disconnect();
  }, []);
  return (
    <div ref={room} className="overflow-hidden rounded-md border bg-white" style={{ height: HEIGHT }}>
      <div
        className="origin-top-left"
        style={{ width: scale < 1 ? WIDTH : '100%', height: HEIGHT / scale, transform: `scale(${scale})` }}
      >
        <HtmlFrame title={words.preview} html={html} className="h-full w-full" />
      </div>
    </div>
  );
}
