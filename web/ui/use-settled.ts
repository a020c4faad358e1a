import { useEffect, useState } from 'react';

const REST_MS = 400;

/** A value once it has not changed for a moment, so that not every keystroke asks the server. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const wait = setTimeout(() => setSettled(value), REST_MS);
    return () => clearTimeout(wait);
  }, [text]);
  return settled;
}
