import { useEffect, useRef } from 'react';

interface FrameProps {
  title: string;
  html: string;
  /** Lets the product's own scripts run in it, for forms as patients see them. */
  live?: boolean;
  className?: string;
}

/**
 * HTML of somebody else, shown where it can do nothing: the frame is of no origin, and the policy of the document that
 * it is written into lets it load and run nothing but what this server has.
 */
export function HtmlFrame(props: FrameProps) {
  // A document runs a module once, however often it is written anew.
  return <Frame key={props.live === true ? props.html : 'still'} {...props} />;
}

function Frame({ title, html, live = false, className }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const shown = useRef(html);
  shown.current = html;
  const isReady = useRef(false);
  const write = () => frame.current?.contentWindow?.postMessage({ html: shown.current }, '*');
  useEffect(() => {
    if (isReady.current) write();
  }, [html]);
  // What is written into the frame loads too, and must not be answered by writing it again.
  const begin = () => {
    if (isReady.current) return;
    isReady.current = true;
    write();
  };
  return (
    <iframe
      ref={frame}
      title={title}
      src={live ? '/app/frame/live' : '/app/frame'}
      sandbox="allow-scripts"
      onLoad={begin}
      className={className ?? 'h-96 w-full rounded-md border bg-white'}
    />
  );
}
