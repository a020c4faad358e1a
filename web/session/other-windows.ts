const SEEN = 'carepost-seen';
const OUT = 'carepost-out';

/** Tells the other windows of this browser that somebody works in this one. */
export function tellSeen(): void {
  localStorage.setItem(SEEN, String(Date.now()));
}

/** Tells the other windows of this browser that whoever was signed in has left. */
export function tellOut(): void {
  localStorage.setItem(OUT, String(Date.now()));
}

/** Hears what other windows of this browser tell; returns how to stop. */
export function hearOthers(heard: { seen(): void; out(): void }): () => void {
  const hear = ({ key }: StorageEvent) => {
    if (key === SEEN) heard.seen();
    if (key === OUT) heard.out();
  };
  addEventListener('storage', hear);
  return () => removeEventListener('storage', hear);
}
