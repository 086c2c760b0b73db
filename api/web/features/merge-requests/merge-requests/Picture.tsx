import { Fragment, useState } from 'react';
import type { MouseEvent } from 'react';
import type { FileDiff } from '../../../data/api.js';
import type { DiffThread } from '../../notes/discussions/index.js';
import { NoteForm, resultMessage, useDiffComment } from '../../notes/discussions/index.js';
import { Field } from '../../../app/forms/Form.js';
import { Card } from '../../../ui/Page.js';
import { Said } from '../../../ui/Said.js';
import { isPictureName, rawOf } from '../../repositories/repository-files/index.js';
import { filePosition } from './LineThreads.js';
import type { DiffContext } from './diff-context.js';
import styles from './Picture.module.css';

/** Whether a file is an image that can be displayed as of after the change. */
export const isPicture = (file: FileDiff): boolean =>
  isPictureName(file.new_path) && !file.deleted_file && !file.diff.startsWith('@@');

/** A point of a picture, and the size of the whole, in its own pixels. */
interface Point {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The clicked point; the center for keyboard activation. */
function getPoint({ currentTarget, clientX, clientY, detail }: MouseEvent<HTMLElement>): Point | null {
  const image = currentTarget.querySelector('img');
  if (!image || image.naturalWidth === 0) return null;
  const { naturalWidth: width, naturalHeight: height } = image;
  const bounds = image.getBoundingClientRect();
  const within = (share: number, most: number) => Math.round(Math.min(Math.max(share, 0), 1) * most);
  if (detail === 0) return { x: within(0.5, width), y: within(0.5, height), width, height };
  const [left, top] = [(clientX - bounds.left) / bounds.width, (clientY - bounds.top) / bounds.height];
  return { x: within(left, width), y: within(top, height), width, height };
}

interface PictureProps {
  context: DiffContext;
  file: FileDiff;
  threads: readonly DiffThread[];
}

/** An image as of after the change, with markers for its threads, and the option to start another one. */
export function Picture({ context, file, threads }: PictureProps) {
  const [point, setPoint] = useState<Point | null>(null);
  const [said, setSaid] = useState('');
  const [broken, setBroken] = useState(false);
  const { refs, of } = context;
  const source = rawOf(of.path, { ref: refs?.head_sha ?? '', file: file.new_path });
  const marks = [...threads.map(({ position }) => position), ...(point ? [point] : [])].filter(isPoint);
  if (broken) return <p className={styles.notice}>Image can't be displayed.</p>;
  return (
    <div className={styles.picture}>
      <Said>{said}</Said>
      <div className={styles.stage}>
        <button
          type="button"
          className={styles.frame}
          aria-label={`Comment on a point of ${file.new_path}`}
          onClick={(event) => setPoint(getPoint(event))}
        >
          <img src={source} alt="" onError={() => setBroken(true)} />
        </button>
        {marks.map(({ x, y, width, height }, at) => (
          <span
            key={at}
            className={styles.mark}
            style={{ insetInlineStart: `${(x / width) * 100}%`, insetBlockStart: `${(y / height) * 100}%` }}
            aria-hidden
          >
            {at + 1}
          </span>
        ))}
      </div>
      {point && (
        <PointForm context={context} file={file} point={point} onClose={() => setPoint(null)} onSaid={setSaid} />
      )}
    </div>
  );
}

const isPoint = (one: Record<keyof Point, number | null>): one is Point => one.x !== null && Boolean(one.width);

interface PointFormProps {
  context: DiffContext;
  file: FileDiff;
  point: Point;
  onClose: () => void;
  onSaid: (said: string) => void;
}

function PointForm({ context: { of, refs }, file, point, onClose, onSaid }: PointFormProps) {
  const comment = useDiffComment(of);
  const { width, height } = point;
  return (
    <Card>
      <NoteForm
        focusFirst
        label={`Comment on a point of ${file.new_path}`}
        submit="Start thread"
        hint="Supports Markdown."
        busy={comment.isPending}
        problem={comment.error}
        onCancel={onClose}
        onSubmit={(body, values) => {
          const [x, y] = [Number(values.get('x')), Number(values.get('y'))];
          const position = { ...filePosition(refs, file), position_type: 'image' as const, x, y, width, height };
          comment.mutate(
            { body, position },
            {
              onSuccess: (done) => {
                onClose();
                onSaid(resultMessage(done, 'Thread started.'));
              },
            },
          );
        }}
      >
        {/* Another point takes the place of the first, what is typed stays. */}
        <Fragment key={`${point.x} ${point.y}`}>
          <Field label="Pixels from the left" name="x" type="number" min={0} max={width} defaultValue={point.x} short />
          <Field label="Pixels from the top" name="y" type="number" min={0} max={height} defaultValue={point.y} short />
        </Fragment>
      </NoteForm>
    </Card>
  );
}
