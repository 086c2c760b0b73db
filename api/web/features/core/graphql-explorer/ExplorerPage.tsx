import { page } from '../../../ui/later.js';
import { Failure } from '../../../app/problems/Failure.js';
import styles from './Explorer.module.css';
import { ExplorerBar } from './ExplorerBar.js';

const Explorer = page(() => import('./Explorer.js'), <output className={styles.loading}>Loading the editor</output>);

/**
 * `/-/graphql-explorer` (graphql.md section 7): queries to write and run as oneself, and the schema to read. It is a
 * document of its own, as the editor needs a wider policy than the other pages may have; all links lead to whole loads.
 */
export function ExplorerPage() {
  return (
    <div className={styles.screen}>
      <ExplorerBar />
      <Failure>
        <main id="content" className={styles.main} tabIndex={-1}>
          <h1 className="hidden">GraphQL explorer</h1>
          <Explorer />
        </main>
      </Failure>
    </div>
  );
}
