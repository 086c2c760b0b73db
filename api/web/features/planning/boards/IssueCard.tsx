import { recordPath } from '../../../app/routing/paths.js';
import { Link } from 'react-router';
import type { ListedIssue } from '../../../data/api.js';
import type { Container } from '../../../data/containers.js';
import { Button } from '../../../ui/Button.js';
import { useDisclosure } from '../../../ui/disclosure.js';
import { State } from '../../../ui/State.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import styles from './Board.module.css';
import { columnKey, columnName, getName } from './columns.js';
import type { Column } from './columns.js';

interface IssueCardProps {
  of: Container;
  issue: ListedIssue;
  /** The columns that it can be moved to; none where the person may not. */
  targets: readonly Column[];
  busy: boolean;
  onMove: (to: Column) => void;
}

/** An issue on a board, and the columns it can be moved to. */
export function IssueCard({ of, issue, targets, busy, onMove }: IssueCardProps) {
  const { title, web_url: url, labels, assignees, confidential } = issue;
  return (
    <article className={styles.card} aria-label={title}>
      <Link className={styles.title} to={recordPath(url)} draggable={false}>
        <UnbrokenText>{title}</UnbrokenText>
      </Link>
      <p className={styles.quiet}>
        <UnbrokenText>
          {[
            getName(of.kind, issue),
            assignees.map(({ name }) => name).join(', '),
            labels.map(({ name }) => name).join(', '),
          ]
            .filter((text) => text !== '')
            .join(' · ')}
        </UnbrokenText>
      </p>
      {confidential && <State tone="warn">confidential</State>}
      {targets.length > 0 && <MoveMenu name={getName(of.kind, issue)} targets={targets} busy={busy} onMove={onMove} />}
    </article>
  );
}

/** Opens the list of columns below the button. */
function MoveMenu({ name, targets, busy, onMove }: Omit<IssueCardProps, 'of' | 'issue'> & { name: string }) {
  const { open, toggle, close, container } = useDisclosure();
  return (
    <div ref={container} className={styles.move}>
      <Button kind="quiet" busy={busy} aria-label={`Move ${name}`} aria-expanded={open} onClick={toggle}>
        Move
      </Button>
      {open && (
        <ul className={styles.targets} aria-label={`Move ${name} to`}>
          {targets.map((column) => (
            <li key={columnKey(column)}>
              <Button
                kind="quiet"
                onClick={() => {
                  close();
                  onMove(column);
                }}
              >
                <span>
                  to <UnbrokenText>{columnName(column)}</UnbrokenText>
                </span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
