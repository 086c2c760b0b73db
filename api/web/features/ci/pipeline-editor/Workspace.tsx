import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Problem } from '../../../app/problems/Problem.js';
import type { Project } from '../../../data/api.js';
import { Button } from '../../../ui/Button.js';
import { Code } from '../../../ui/Code.js';
import { Empty } from '../../../ui/Empty.js';
import { later } from '../../../ui/later.js';
import { LinkTabs } from '../../../ui/LinkTabs.js';
import { LoadingRows } from '../../../ui/Table.js';
import { useUnsaved } from '../../../ui/unsaved.js';
import { useDebounced } from '../../../ui/use-debounced.js';
import { BranchBar } from './BranchBar.js';
import { DryRun } from './DryRun.js';
import { useEditRight } from './edit-right.js';
import { FileCommit } from './FileCommit.js';
import { JobsByStage } from './JobsByStage.js';
import { FindingList, LintStatus } from './LintStatus.js';
import styles from './PipelineEditor.module.css';
import { lintReportQuery } from './queries.js';
import type { CiFile, LintReport } from './queries.js';
import { STARTER } from './starter.js';
import type { EditorHandle } from './YamlEditor.js';

const YamlEditor = later(() => import('./YamlEditor.js'), <LoadingRows label="Loading the editor" rows={8} />);

/** Pause in typing, in milliseconds, after which a text is checked. */
const PAUSE_MS = 500;

const TABS = [
  ['edit', 'Edit'],
  ['validate', 'Validate'],
  ['merged', 'Full configuration'],
] as const;

interface WorkspaceProps {
  project: Project;
  branch: string;
  /** Whether the branch lets the caller push; null if there is no branch yet. */
  pushRight: boolean | null;
  file: string;
  /** The file on the branch; null if there is none. */
  stored: CiFile | null;
  /** Called with the branch once the text is committed to it, and with null before that. */
  onCommit: (branch: string | null) => void;
  /** Begins again with the file as it is on the branch. */
  onDiscard: () => void;
}

/** The text of a configuration, what a check finds in it, and its commit. Changes of the file do not overwrite the text. */
export function Workspace({ project, branch, pushRight, file, stored, onCommit, onDiscard }: WorkspaceProps) {
  const path = project.path_with_namespace;
  const [base, setBase] = useState(stored);
  const [text, setText] = useState<string | null>(base === null ? null : base.text);
  const [search] = useSearchParams();
  const [tab] = TABS.find(([name]) => name === search.get('tab')) ?? TABS[0];
  const right = useEditRight(project, branch, pushRight);
  const isChanged = text !== null && text !== (base?.text ?? null);
  const noteUnsaved = useUnsaved(!isChanged);
  const handle = useRef<EditorHandle | null>(null);
  // Others have only the file on the branch checked.
  const settled = useDebounced(text, PAUSE_MS);
  const content = right.mayEdit ? (settled ?? text) : null;
  const from = pushRight === null ? null : branch;
  const lint = useQuery({
    ...lintReportQuery(path, { branch: from, content, source: null }),
    enabled: text !== null,
    // The jobs remain while the next text is checked.
    placeholderData: keepPreviousData,
  });
  const report = lint.data;
  const isChecking = lint.isFetching || (right.mayEdit && content !== text);
  const own = (report?.problems ?? []).filter((finding) => finding.file === null);
  const type = (next: string) => {
    if (next !== base?.text) noteUnsaved();
    setText(next);
  };

  if (base !== null && base.text === null)
    return (
      <>
        <BranchBar path={path} branch={branch} file={file} isChanged={false} />
        <Empty>This file is binary or too large to edit here.</Empty>
      </>
    );
  if (text === null)
    return (
      <>
        <BranchBar path={path} branch={branch} file={file} isChanged={false} />
        <Empty
          action={
            right.mayEdit ? (
              <Button kind="primary" onClick={() => type(STARTER)}>
                Configure pipeline
              </Button>
            ) : undefined
          }
        >
          There is no <code>{file}</code> on <code>{branch}</code>. It describes the jobs that build, test and deploy
          your code. Once it is committed, pushes and schedules start its jobs on a runner.
          {right.mayEdit ? ' Start with an example that you can change.' : ` ${right.why}`}
        </Empty>
      </>
    );
  const tabPath = (name: string) => {
    const next = new URLSearchParams(search);
    next.set('tab', name);
    return `?${next}`;
  };
  return (
    <>
      <BranchBar path={path} branch={branch} file={file} isChanged={isChanged} />
      {right.why !== null && <p className={styles.notice}>{right.why}</p>}
      <LinkTabs
        label="Views of the configuration"
        tabs={TABS.map(([name, label]) => ({ to: tabPath(name), label, current: name === tab }))}
      />
      <div className={styles.part} hidden={tab !== 'edit'}>
        <div className={styles.written}>
          <YamlEditor
            key={String(right.mayEdit)}
            label={`Text of ${file}`}
            initial={text}
            readOnly={!right.mayEdit}
            findings={own}
            checkedText={lint.isFetching ? null : (content ?? text)}
            onChange={type}
            onOpen={(opened) => {
              handle.current = opened;
              // Where another page says so, the editor opens at a line.
              const line = Number(search.get('line'));
              if (line > 0) opened?.goToLine(line, 1);
            }}
          />
          {right.mayEdit && <p className={styles.note}>To leave the editor by the keyboard, press Escape, then Tab.</p>}
          {lint.error && !report ? (
            <Problem error={lint.error} retry={() => void lint.refetch()} />
          ) : (
            <LintStatus report={report} isChecking={isChecking} />
          )}
          {report && (
            <FindingList findings={report.problems} onGo={(line, column) => handle.current?.goToLine(line, column)} />
          )}
        </div>
        {report && <JobsByStage report={report} />}
        {right.mayEdit && (
          <FileCommit
            path={path}
            file={file}
            branch={branch}
            from={from}
            target={right.target}
            base={base}
            text={text}
            isChanged={isChanged}
            onStored={setBase}
            onCommit={onCommit}
            onDiscard={onDiscard}
          />
        )}
      </div>
      {tab === 'validate' && (
        <div className={styles.part}>
          <DryRun path={path} branch={from} content={content} />
        </div>
      )}
      {tab === 'merged' && (
        <div className={styles.part}>
          <Merged report={report} isChecking={isChecking} />
        </div>
      )}
    </>
  );
}

/** The configuration with everything that it includes. */
function Merged({ report, isChecking }: { report: LintReport | undefined; isChecking: boolean }) {
  return (
    <>
      <p className={styles.note}>
        The configuration with everything that it includes and extends. To change it, edit its files.
      </p>
      <LintStatus report={report} isChecking={isChecking} />
      {report?.merged_yaml ? (
        <Code label="Full configuration">{report.merged_yaml}</Code>
      ) : (
        report && <Empty>An invalid configuration can't be merged. Fix its errors first.</Empty>
      )}
    </>
  );
}
