import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { FileDiff } from '../../../data/api.js';
import { FileDiffs, linesOf, fileKey, isOfFile, lineKey } from '../../repositories/diffs/index.js';
import { splitThreads, standsOn, threadsOfFile, threadsQuery, useTypedThreads } from '../../notes/discussions/index.js';
import type { DiffThread } from '../../notes/discussions/index.js';
import type { DiffThreads } from '../../repositories/diffs/index.js';
import { mergeRequestNotes } from './merge-request-notes.js';
import { Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { isTyping } from '../../../ui/unsaved.js';
import { LineThreads } from './LineThreads.js';
import type { DiffContext } from './diff-context.js';
import { isPicture, Picture } from './Picture.js';
import type { MergeRequestDetails } from './queries.js';

/** Threads per request: all are loaded, one page after the other. */
const THREADS = 100;

interface CommentedDiffsProps {
  path: string;
  request: MergeRequestDetails;
  files: readonly FileDiff[];
}

/** Changed files with the threads at their lines, and the way to say something of a line. */
export function CommentedDiffs({ path, request, files }: CommentedDiffsProps) {
  const of = mergeRequestNotes(path, request.iid);
  const threads = useInfiniteQuery(threadsQuery(of, THREADS));
  const { hasNextPage, isFetching, isError, fetchNextPage } = threads;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const pages = threads.data?.pages ?? [];
  const refs = request.diff_refs;
  const byRevision = splitThreads(useTypedThreads(threads.data), refs?.head_sha ?? null);
  const writing = useWriting();
  const noteableId = pages[0]?.id;
  const context = noteableId === undefined ? null : { of, noteableId, refs, request };
  return (
    <>
      {threads.error && <Problem error={threads.error} retry={() => void threads.refetch()} />}
      <FileDiffs files={files} threads={context && createDiffThreads(context, byRevision.current, writing)} />
      {context && byRevision.outdated.length > 0 && <Outdated context={context} threads={byRevision.outdated} />}
    </>
  );
}

/** Lines and files with an open comment form: each form stays open until it is submitted or closed. */
interface Writing {
  open: ReadonlySet<string>;
  begin: (key: string) => void;
  close: (key: string) => void;
}

function useWriting(): Writing {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  return {
    open,
    begin: (key) => setOpen((current) => new Set(current).add(key)),
    close(key) {
      setOpen((current) => new Set([...current].filter((one) => one !== key)));
      // After the form is closed, focus returns to the button that opened it.
      if (!isTyping()) document.querySelector<HTMLElement>(`button[data-line="${CSS.escape(key)}"]`)?.focus();
    },
  };
}

/** The threads of a file that belong to none of its displayed lines: on the file as a whole, or on an image. */
function fileLevelThreads(file: FileDiff, threads: readonly DiffThread[]): DiffThread[] {
  const of = threadsOfFile(threads, file);
  if (of.length === 0) return of;
  const lines = linesOf(file.diff).filter(isOfFile);
  return of.filter((one) => one.position.positionType !== 'text' || !lines.some((line) => standsOn(one, line)));
}

function createDiffThreads(
  context: DiffContext,
  threads: readonly DiffThread[],
  { open, begin, close }: Writing,
): DiffThreads {
  const byFile = new Map<FileDiff, DiffThread[]>();
  const ofFile = (file: FileDiff) => {
    const found = byFile.get(file) ?? threadsOfFile(threads, file).filter(isOfText);
    byFile.set(file, found);
    return found;
  };
  return {
    above(file) {
      const key = fileKey(file);
      const fileThreads = fileLevelThreads(file, threads);
      if (fileThreads.length === 0 && !open.has(key)) return null;
      const writing = open.has(key) ? { file, line: null, onClose: () => close(key) } : null;
      return <LineThreads context={context} threads={fileThreads} writing={writing} />;
    },
    inside: (file) =>
      isPicture(file) ? <Picture context={context} file={file} threads={threadsOfFile(threads, file)} /> : null,
    beginFile: (file) => begin(fileKey(file)),
    below(file, line) {
      const key = lineKey(file, line);
      const said = ofFile(file).filter((one) => standsOn(one, line));
      if (said.length === 0 && !open.has(key)) return null;
      const writing = open.has(key) ? { file, line, onClose: () => close(key) } : null;
      return <LineThreads key={key} context={context} threads={said} writing={writing} />;
    },
    begin: (file, line) => begin(lineKey(file, line)),
  };
}

const isOfText = ({ position }: DiffThread) => position.positionType === 'text';

function Outdated({ context, threads }: { context: DiffContext; threads: readonly DiffThread[] }) {
  return (
    <Section title="Outdated threads">
      <p>On lines changed by later commits.</p>
      <LineThreads context={context} threads={threads} writing={null} inline={false} />
    </Section>
  );
}
