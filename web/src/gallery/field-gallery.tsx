/** The field types one below the other: empty, filled, refused, read-only. */
import type { Field } from '@hengxi/contracts/contract';
import type { FieldFault } from '@hengxi/contracts/http';

import { VariableBoxes } from '../fields/boxes/variable-boxes.tsx';
import { MethodField } from '../fields/method-field.tsx';
import { Harness } from '../fields/testing/harness.tsx';
import { type Sample, SAMPLES } from '../fields/testing/samples.ts';
import styles from './gallery.module.css';

const STATES = ['空', '填好', '被拒绝', '只读'] as const;
type State = (typeof STATES)[number];

/** Ids on the page are made of keys: each state has its own. */
function ownField(field: Field, state: State): Field {
  return { ...field, key: `${field.key}_${STATES.indexOf(state)}` };
}

function faultOf(field: Field): FieldFault {
  return {
    field: field.key,
    code: `${field.type}.example`,
    text: `“${field.title}”的值不合要求，请按提示修改`,
    facts: {},
    column: null,
    row: null,
    remedies: [{ title: '改成允许的值', set: { [field.key]: null } }],
  };
}

function Shown({ sample, state }: { sample: Sample; state: State }) {
  const field = ownField(sample.field, state);
  const value = state === '空' ? undefined : sample.value;
  return (
    <section className={styles['state']} aria-label={`${sample.field.type} ${state}`}>
      <h3>{state}</h3>
      <Harness
        fields={[field, ...(sample.fields ?? [])]}
        start={{ ...sample.around, ...(value === undefined ? {} : { [field.key]: value }) }}
        faults={state === '被拒绝' ? [faultOf(field)] : []}
        tools={{ readOnly: state === '只读' }}
      >
        {(form) => (
          <VariableBoxes onOpen={() => undefined}>
            <MethodField field={field} value={form[field.key]} />
          </VariableBoxes>
        )}
      </Harness>
    </section>
  );
}

export function FieldGallery() {
  return (
    <>
      {Object.entries(SAMPLES).map(([type, sample]) => (
        <section key={type} className={styles['type']} aria-label={type}>
          <h2>{type}</h2>
          <div className={styles['states']}>
            {STATES.map((state) => (
              <Shown key={state} sample={sample} state={state} />
            ))}
          </div>
        </section>
      ))}
    </>
  );
}
