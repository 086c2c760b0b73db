import { Button } from '../../../ui/Button.js';
import rows from '../../../ui/Rows.module.css';
import { State } from '../../../ui/State.js';
import { Table } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import type { LintFinding, LintReport } from './queries.js';

const getCount = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** What a check found, in a few words. */
function describeReport({ valid, errors, warnings }: LintReport): string {
  const also = warnings.length > 0 ? getCount(warnings.length, 'warning') : '';
  if (valid) return `Pipeline syntax is correct${also === '' ? '.' : `, with ${also}.`}`;
  return `This configuration is invalid: ${[getCount(errors.length, 'error'), also].filter(Boolean).join(', ')}.`;
}

/** Whether the configuration is valid; screen readers announce changes. */
export function LintStatus({ report, isChecking }: { report: LintReport | undefined; isChecking: boolean }) {
  return (
    <output>
      {isChecking || !report ? (
        <State tone="quiet">Validating the configuration…</State>
      ) : (
        <State tone={report.valid ? (report.warnings.length > 0 ? 'warn' : 'good') : 'bad'}>
          {describeReport(report)}
        </State>
      )}
    </output>
  );
}

interface FindingListProps {
  findings: readonly LintFinding[];
  /** Moves the cursor there; without it, lines are only displayed. */
  onGo?: (line: number, column: number) => void;
}

/** Errors and warnings with their lines. */
export function FindingList({ findings, onGo }: FindingListProps) {
  if (findings.length === 0) return null;
  return (
    <Table
      caption="Problems"
      rows={findings.map((finding, index) => ({ ...finding, index }))}
      keyOf={({ index }) => index}
      columns={[
        { title: 'Problem', cell: ({ message }) => message },
        {
          title: 'Severity',
          cell: ({ severity }) => <State tone={severity === 'error' ? 'bad' : 'warn'}>{severity}</State>,
        },
        {
          title: 'Line',
          actions: true,
          cell: (finding) => (
            <div className={rows.actions}>
              <Line finding={finding} onGo={onGo} />
            </div>
          ),
        },
      ]}
    />
  );
}

function Line({ finding: { file, line, column }, onGo }: { finding: LintFinding; onGo: FindingListProps['onGo'] }) {
  if (line === null) return <UnbrokenText>{file ?? ''}</UnbrokenText>;
  if (file !== null) return <UnbrokenText>{`${file}, line ${line}`}</UnbrokenText>;
  if (!onGo) return `line ${line}`;
  return (
    <Button kind="quiet" onClick={() => onGo(line, column ?? 1)}>
      Go to line {line}
    </Button>
  );
}
