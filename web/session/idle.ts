import { useEffect } from 'react';
import { hearOthers, tellSeen } from './other-windows.ts';
import { forgetSession } from './session.ts';

const EVENTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;
const LOOK_MS = 5_000;
/** How often the server hears of a person who works without calling anything. */
const HEARTBEAT_MS = 120_000;

/**
 * Blanks the page after some time without a person. The server ends the session by itself; this only sees to it that
 * nothing stays in sight. Windows of one browser tell each other, so that work in one keeps the others open.
 */
export function useIdleBlank(seconds: number): void {
  useEffect(() => {
    let lastSeen = Date.now();
    let lastTold = 0;
    let lastBeat = Date.now();
    const see = () => {
      lastSeen = Date.now();
      if (lastSeen - lastBeat >= HEARTBEAT_MS) {
        lastBeat = lastSeen;
        void fetch('/app/api/sessions').then(({ status }) => status === 401 && forgetSession());
      }
      if (lastSeen - lastTold < LOOK_MS) return;
      lastTold = lastSeen;
      tellSeen();
    };
    const deafen = hearOthers({
      seen: () => {
        lastSeen = Date.now();
      },
      out: () => forgetSession({ left: true }),
    });
    const look = setInterval(() => Date.now() - lastSeen >= seconds * 1000 && forgetSession(), LOOK_MS);
    for (const event of EVENTS) addEventListener(event, see, { passive: true });
    return () => {
      clearInterval(look);
      deafen();
      for (const event of EVENTS) removeEventListener(event, see);
    };
  }, [seconds]);
}
