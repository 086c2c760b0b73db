import { useInfiniteQuery } from '@tanstack/react-query';
import { ArrowLeft, ArrowRight } from 'lucide-react';
import { useId } from 'react';
import type { DragEvent } from 'react';
import type { ListedIssue } from '../../../data/api.js';
import type { Container } from '../../../data/containers.js';
import { Button } from '../../../ui/Button.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import styles from './Board.module.css';
import type { Move } from './changes.js';
import { IssueCard } from './IssueCard.js';
import { isCounted, columnKey, columnName } from './columns.js';
import type { Board, Column } from './columns.js';
import { columnQuery } from './queries.js';

interface BoardColumnProps {
  of: Container;
  board: Board;
  column: Column;
  /** All of the board. */
  columns: readonly Column[];
  mayMove: boolean;
  busy: boolean;
  onMove: (move: Move) => void;
  /** Moves the list to another position; null if the column is no list, or the user may not move it. */
  onReposition: ((position: number) => void) | null;
  /** Takes the list out; null as well. */
  onRemove: (() => void) | null;
}

/** Removes the list; null in the same cases. */
let dragged: { issue: ListedIssue; from: Column } | null = null;

/** One column of a board: its name, how many issues it has, and the first of them. */
export function BoardColumn({
  of,
  board,
  column,
  columns,
  mayMove,
  busy,
  onMove,
  onReposition,
  onRemove,
}: BoardColumnProps) {
  const id = useId();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    columnQuery(of, board, column),
  );
  const name = columnName(column);
  const issues = data?.pages.flatMap(({ rows }) => rows) ?? [];
  const total = isCounted(board, column) ? (data?.pages[0]?.total ?? null) : null;
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const { issue, from } = dragged ?? {};
    dragged = null;
    if (issue && from && columnKey(from) !== columnKey(column)) onMove({ issue, from, to: column });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- cards have a menu that does the same
    <section
      className={styles.column}
      aria-labelledby={id}
      {...(mayMove ? { onDragOver: (event: DragEvent) => event.preventDefault(), onDrop: drop } : {})}
    >
      <div className={styles.head}>
        <h2 id={id} className={styles.name}>
          <UnbrokenText>{name}</UnbrokenText>
        </h2>
        {total !== null && <span className={styles.count}>{total.toLocaleString('en')}</span>}
        {onReposition && onRemove && (
          <span className={styles.tools}>
            <PositionButtons
              name={name}
              at={board.lists.findIndex((list) => String(list.id) === columnKey(column))}
              last={board.lists.length - 1}
              onReposition={onReposition}
            />
            <Button kind="quiet" aria-label={`Remove list ${name}`} onClick={onRemove}>
              Remove
            </Button>
          </span>
        )}
      </div>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingRows label={`Loading ${name}`} />}
      {data && issues.length === 0 && <p className={styles.none}>No issues.</p>}
      {issues.length > 0 && (
        <ol className={styles.cards} aria-label={`Issues in ${name}`}>
          {issues.map((issue) => (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the card has a menu that does the same
            <li
              key={issue.id}
              draggable={mayMove}
              onDragStart={(event) => {
                // Some browsers drag nothing without it.
                event.dataTransfer.setData('text/plain', issue.web_url);
                dragged = { issue, from: column };
              }}
            >
              <IssueCard
                of={of}
                issue={issue}
                targets={mayMove ? columns.filter((other) => columnKey(other) !== columnKey(column)) : []}
                busy={busy}
                onMove={(to) => onMove({ issue, from: column, to })}
              />
            </li>
          ))}
        </ol>
      )}
      {hasNextPage && (
        <div>
          <Button busy={isFetchingNextPage} aria-label={`Show more in ${name}`} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </section>
  );
}

interface PositionButtonsProps {
  name: string;
  /** Where the list is among the lists, and where the last one is. */
  at: number;
  last: number;
  onReposition: (position: number) => void;
}

/** The dragged issue and its column: browsers reveal drag data to pages only on drop. */
function PositionButtons({ name, at, last, onReposition }: PositionButtonsProps) {
  return (
    <>
      {at > 0 && (
        <Button kind="quiet" aria-label={`Move list ${name} left`} onClick={() => onReposition(at - 1)}>
          <ArrowLeft size={16} aria-hidden />
        </Button>
      )}
      {at < last && (
        <Button kind="quiet" aria-label={`Move list ${name} right`} onClick={() => onReposition(at + 1)}>
          <ArrowRight size={16} aria-hidden />
        </Button>
      )}
    </>
  );
}
