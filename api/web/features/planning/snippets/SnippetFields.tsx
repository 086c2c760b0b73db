import { useState } from 'react';
import { Button } from '../../../ui/Button.js';
import { Field, fieldProblem } from '../../../app/forms/Form.js';
import { Card } from '../../../ui/Page.js';
import { Select } from '../../../ui/Select.js';
import { TextArea } from '../../../ui/TextArea.js';
import { TitleAndDescription } from '../../../app/forms/TitleAndDescription.js';
import { contentField, MOST_FILES, pathField } from './files.js';
import type { FormFile } from './files.js';
import type { SnippetBlob } from './queries.js';

const VISIBILITIES = [
  { value: 'private', label: 'Private: you and project members' },
  { value: 'internal', label: 'Internal: all signed-in users' },
  { value: 'public', label: 'Public: everyone' },
];

/** The values of a snippet's fields, without its files. */
type SnippetValues = Record<'title' | 'description' | 'visibility', string>;

/** The files in a form, with ways to add and to take out. At least one stays. */
export function useFormFiles(blobs: readonly SnippetBlob[]) {
  const [files, setFiles] = useState<readonly FormFile[]>(() =>
    blobs.length === 0 ? [{ key: 0, before: null }] : blobs.map((before, key) => ({ key, before })),
  );
  const next = Math.max(...files.map(({ key }) => key), blobs.length) + 1;
  return {
    files,
    add: () => setFiles([...files, { key: next, before: null }]),
    remove: (file: FormFile) => setFiles(files.filter((other) => other !== file)),
  };
}

/** Fields that show their own problems. */
export const getFields = (files: readonly FormFile[]): string[] => [
  'title',
  'description',
  ...files.flatMap((file) => [pathField(file), contentField(file)]),
];

interface SnippetFieldsProps {
  values: SnippetValues;
  files: ReturnType<typeof useFormFiles>;
  problem: Error | null;
}

/** The fields of a snippet, for a new one and for one that is there. */
export function SnippetFields({ values, files: { files, add, remove }, problem }: SnippetFieldsProps) {
  const [visibility, setVisibility] = useState(values.visibility);
  return (
    <>
      <TitleAndDescription values={values} problem={problem} rows={4} />
      <Select label="Visibility" name="visibility" choices={VISIBILITIES} value={visibility} onChoose={setVisibility} />
      {files.map((file, index) => (
        <OneFile
          key={file.key}
          file={file}
          number={files.length === 1 ? '' : ` ${index + 1}`}
          problem={problem}
          onRemove={files.length === 1 ? null : () => remove(file)}
        />
      ))}
      {files.length < MOST_FILES && (
        <div>
          <Button onClick={add}>Add file</Button>
        </div>
      )}
    </>
  );
}

interface OneFileProps {
  file: FormFile;
  /** Distinguishes its fields from those of other files. */
  number: string;
  problem: Error | null;
  onRemove: (() => void) | null;
}

function OneFile({ file, number, problem, onRemove }: OneFileProps) {
  const { before } = file;
  const isText = before === null || before.rawPlainData !== null;
  return (
    <Card>
      <Field
        label={`File name${number}`}
        name={pathField(file)}
        hint="Include the extension, such as notes.md. Use / for folders."
        defaultValue={before?.path ?? ''}
        autoComplete="off"
        spellCheck={false}
        problem={fieldProblem(problem, pathField(file))}
      />
      {isText ? (
        <TextArea
          label={`Content${number}`}
          name={contentField(file)}
          defaultValue={before?.rawPlainData ?? ''}
          rows={10}
          spellCheck={false}
          problem={fieldProblem(problem, contentField(file))}
        />
      ) : (
        <p>This file is binary or too large to edit here. Use Git to change it.</p>
      )}
      {onRemove && (
        <div>
          <Button aria-label={`Remove file${number}`} onClick={onRemove}>
            Remove
          </Button>
        </div>
      )}
    </Card>
  );
}
