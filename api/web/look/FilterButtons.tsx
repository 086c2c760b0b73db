import { useSearchParams } from 'react-router';
import { Button } from './Button.js';
import styles from './List.module.css';

/** What ends a form of filters: they are applied, and cleared where there are any. @param cleared what then stands in the address */
export function FilterButtons({ filtered, cleared = {} }: { filtered: boolean; cleared?: Record<string, string> }) {
  const [, setSearch] = useSearchParams();
  return (
    <div className={styles.buttons}>
      <Button type="submit">Filter</Button>
      {filtered && (
        <Button kind="quiet" onClick={() => setSearch(cleared)}>
          Clear
        </Button>
      )}
    </div>
  );
}
