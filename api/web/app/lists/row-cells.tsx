import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.js';
import rows from '../../ui/Rows.module.css';
import type { Column } from '../../ui/Table.js';
import { UnbrokenText } from '../../ui/UnbrokenText.js';

/** The name of a row, with a technical name or fingerprint below it. */
export function RowName({ name, code }: { name: string; code?: string }) {
  return (
    <>
      <span className={rows.name}>
        <UnbrokenText>{name}</UnbrokenText>
      </span>
      {code !== undefined && (
        <code className={rows.quiet}>
          <UnbrokenText>{code}</UnbrokenText>
        </code>
      )}
    </>
  );
}

/** The scopes of a token. */
export function Scopes({ scopes }: { scopes: readonly string[] }) {
  return (
    <span className={rows.scopes}>
      {scopes.map((scope) => (
        <code key={scope}>{scope}</code>
      ))}
    </span>
  );
}

/** An action on a row of a list, which opens a dialog. */
export interface RowAction<T> {
  label: string;
  /** What screen readers say before the name of the row, if not the label. */
  spoken?: string;
  isOffered?: (row: T) => boolean;
  /** The dialog. `onDone` closes it and displays a message. */
  dialog: (row: T, then: { onClose: () => void; onDone: (message: string) => void }) => ReactNode;
}

/** The column with the actions on each row. */
export const actionsColumn = <T,>(
  actions: readonly RowAction<T>[],
  nameOf: (row: T) => string,
  open: (row: T, action: RowAction<T>) => void,
): Column<T> => ({
  title: 'Actions',
  actions: true,
  end: true,
  cell: (row) => (
    <div className={rows.actions}>
      {actions
        .filter(({ isOffered }) => isOffered?.(row) !== false)
        .map((action) => (
          <Button
            key={action.label}
            kind="quiet"
            aria-label={`${action.spoken ?? action.label} ${nameOf(row)}`}
            onClick={() => open(row, action)}
          >
            {action.label}
          </Button>
        ))}
    </div>
  ),
});
