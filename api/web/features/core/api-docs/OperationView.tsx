import { useEffect, useRef } from 'react';
import { Section } from '../../../ui/Page.js';
import { Table } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import styles from './ApiDocs.module.css';
import { formatType } from './description.js';
import type { Answer, Description, Operation, Schema } from './description.js';
import { TryOperation } from './TryOperation.js';
import { CodeText } from '../../../ui/CodeText.js';

/** One operation: what it does and demands, a form to try it, what it takes and what it answers. */
export function OperationView({ operation, description }: { operation: Operation; description: Description }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { body } = operation;
  return (
    <article className={styles.view} aria-labelledby="operation">
      <header className={styles.head}>
        <h2 id="operation" ref={heading} tabIndex={-1}>
          {operation.summary}
        </h2>
        <p className={styles.path}>
          <strong>{operation.method}</strong>{' '}
          <code>
            {description.base}
            {operation.path}
          </code>
        </p>
        <p className={styles.quiet}>
          <code>{operation.id}</code> · <CodeText>{operation.description}</CodeText>
        </p>
      </header>
      <TryOperation operation={operation} base={description.base} />
      {body && (
        <Section title="Body" aside={body.types.join(', ')}>
          <Fields caption="Fields of the body" schema={body.schema} />
        </Section>
      )}
      <Section title="Responses">
        {operation.answers.map(([status, answer]) => (
          <AnswerOf key={status} status={status} answer={answer} description={description} />
        ))}
      </Section>
    </article>
  );
}

function AnswerOf({ status, answer, description }: { status: string; answer: Answer; description: Description }) {
  const schema = answer.content?.['application/json']?.schema;
  const fields = schema && status.startsWith('2') ? description.schema(schema) : null;
  return (
    <div className={styles.answer}>
      <p>
        <strong>{status}</strong> <CodeText>{answer.description}</CodeText> {fields && schema && formatType(schema)}
      </p>
      {fields?.properties && (
        <details>
          <summary className={styles.more}>Fields of {formatType(schema as Schema)}</summary>
          <Fields caption={`Fields of ${formatType(schema as Schema)}`} schema={fields} />
        </details>
      )}
    </div>
  );
}

function Name({ children }: { children: string }) {
  return (
    <code>
      <UnbrokenText>{children}</UnbrokenText>
    </code>
  );
}

function Fields({ caption, schema }: { caption: string; schema: Schema }) {
  const required = new Set(schema.required);
  return (
    <Table
      caption={caption}
      rows={Object.entries(schema.properties ?? {})}
      keyOf={([name]) => name}
      columns={[
        { title: 'Name', cell: ([name]) => <Name>{name}</Name> },
        { title: 'Type', cell: ([, field]) => formatType(field) },
        { title: 'Always', cell: ([name]) => (required.has(name) ? 'yes' : 'no') },
        { title: 'Description', cell: ([, { description: text }]) => text && <CodeText>{text}</CodeText> },
      ]}
    />
  );
}
