import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Said } from '../../../ui/Said.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { getCurve, getNeedLines, groupJobs } from './graph-layout.js';
import type { Rectangle, GraphStage, NeedLine } from './graph-layout.js';
import { JobCard } from './JobCard.js';
import styles from './Jobs.module.css';
import type { Job } from './queries.js';

interface PipelineGraphProps {
  path: string;
  jobs: readonly Job[];
  stages: readonly string[];
  /** Whether the viewer may start, cancel and retry jobs. */
  mayMove: boolean;
}

/** The jobs of a pipeline: a column for each stage, and lines from the jobs that others need. */
export function PipelineGraph({ path, jobs, stages: names, mayMove }: PipelineGraphProps) {
  const stages = useMemo(() => groupJobs(jobs, names), [jobs, names]);
  const lines = useMemo(() => getNeedLines(stages), [stages]);
  const [search, setSearch] = useSearchParams();
  const [near, setNear] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const showsAll = search.get('needs') === '1';
  const visibleLines = lines.filter(({ from, to }) => showsAll || from === near || to === near);
  const { frame, boxes } = useBoxes(stages);
  return (
    <div className={styles.graph}>
      <Said>{said}</Said>
      {lines.length > 0 && (
        <label className={styles.toggle}>
          <input
            type="checkbox"
            checked={showsAll}
            onChange={({ currentTarget: { checked } }) =>
              setSearch(
                (before) => {
                  if (checked) before.set('needs', '1');
                  else before.delete('needs');
                  return before;
                },
                { replace: true },
              )
            }
          />
          Show what jobs need
        </label>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus */}
      <section className={styles.scroller} aria-label="Stages of the pipeline" tabIndex={0}>
        <div ref={frame} className={styles.stages}>
          <Lines lines={visibleLines} boxes={boxes} />
          {stages.map((stage) => (
            <section key={stage.name} className={styles.stage} aria-label={`Stage ${stage.name}`}>
              <h2>
                <UnbrokenText>{stage.name}</UnbrokenText>
              </h2>
              <ul>
                {stage.jobs.map((job) => (
                  <JobCard
                    key={job.name}
                    path={path}
                    job={job}
                    mayMove={mayMove}
                    showsNeeds={showsAll}
                    isLit={visibleLines.some(({ from, to }) => !showsAll && (from === job.name || to === job.name))}
                    onNear={setNear}
                    onSaid={setSaid}
                  />
                ))}
              </ul>
            </section>
          ))}
        </div>
      </section>
    </div>
  );
}

/** Where each card is, measured again when jobs or the width change. */
function useBoxes(stages: readonly GraphStage[]) {
  const frame = useRef<HTMLDivElement>(null);
  const [boxes, setBoxes] = useState<ReadonlyMap<string, Rectangle>>(new Map());
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const names = stages.flatMap(({ jobs }) => jobs.map(({ name }) => name));
    const measure = () => {
      const origin = element.getBoundingClientRect();
      // The cards are in the order of the jobs.
      const cards = [...element.querySelectorAll('li')];
      setBoxes(
        new Map(
          cards.map((card, index) => {
            const { left, top, width, height } = card.getBoundingClientRect();
            return [names[index] ?? '', { left: left - origin.left, top: top - origin.top, width, height }];
          }),
        ),
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [stages]);
  return { frame, boxes };
}

function Lines({ lines, boxes }: { lines: readonly NeedLine[]; boxes: ReadonlyMap<string, Rectangle> }) {
  return (
    <svg className={styles.lines} aria-hidden>
      {lines.map(({ from, to }) => {
        const [start, end] = [boxes.get(from), boxes.get(to)];
        return start && end && <path key={`${from}\n${to}`} d={getCurve(start, end)} />;
      })}
    </svg>
  );
}
