/** What several errands share, as one of them sees it. */
interface User<T> {
  /** Answers what is shared; made for the first who asks. */
  use(): Promise<T>;
  over(): void;
}

/**
 * Shares what takes room among those who use it at the same time, and gives the room back with the last of them: whoever waits
 * for a turn must hold none, or two who wait for what the other has do so for ever. Made anew for whoever comes later.
 */
export function whileUsed<T>(make: (uses: (() => void)[]) => Promise<T>): { user(): User<T> } {
  let users = 0;
  let uses: (() => void)[] = [];
  let made: Promise<T> | undefined;
  return {
    user() {
      let isUsing = false;
      return {
        use() {
          if (!isUsing) users += 1;
          isUsing = true;
          return (made ??= make(uses));
        },
        over() {
          if (!isUsing) return;
          isUsing = false;
          users -= 1;
          if (users > 0) return;
          for (const giveBack of uses) giveBack();
          uses = [];
          made = undefined;
        },
      };
    },
  };
}
