/** The one switch over field types. When the engine gains a type, this file stops compiling until a folder for it exists. */
import type { Field } from '@hengxi/contracts/contract';

import { BlocksField } from './blocks/blocks-field.tsx';
import { CasesField } from './cases/cases-field.tsx';
import { ChoiceField } from './choice/choice-field.tsx';
import { FrozenField } from './frozen/frozen-field.tsx';
import { DictionaryField } from './dictionary/dictionary-field.tsx';
import { DatasetField } from './dataset/dataset-field.tsx';
import { ForeignRole } from './dataset/foreign-column.tsx';
import { FlagField } from './flag/flag-field.tsx';
import { FormulaField } from './formula/formula-field.tsx';
import { LevelField } from './level/level-field.tsx';
import { ManyField } from './many/many-field.tsx';
import { MappingField } from './mapping/mapping-field.tsx';
import { MatchedField } from './matched/matched-field.tsx';
import { MatrixField } from './matrix/matrix-field.tsx';
import { ModelField } from './model/model-field.tsx';
import { MomentField } from './moment/moment-field.tsx';
import { NumberField } from './number/number-field.tsx';
import { NumbersField } from './numbers/numbers-field.tsx';
import { PathsField } from './paths/paths-field.tsx';
import { RecordsField } from './records/records-field.tsx';
import { RoleField } from './role/role-field.tsx';
import { SettingsField } from './settings/settings-field.tsx';
import { TermsField } from './terms/terms-field.tsx';
import { TimelineField } from './timeline/timeline-field.tsx';
import { TreeField } from './tree/tree-field.tsx';
import { UploadField } from './upload/upload-field.tsx';
import { WeightField } from './weight/weight-field.tsx';
import { WithinField } from './within/within-field.tsx';
import { WordsField } from './words/words-field.tsx';

function unknownType(field: never): never {
  throw new Error(`no control for ${JSON.stringify(field)}`);
}

export function MethodField({ field, value }: { field: Field; value: unknown }) {
  switch (field.type) {
    case 'role':
      return field.table === null ? (
        <RoleField field={field} value={value} />
      ) : (
        <ForeignRole field={field} table={field.table} value={value} />
      );
    case 'weight':
      return <WeightField field={field} value={value} />;
    case 'level':
      return <LevelField field={field} value={value} />;
    case 'settings':
      return <SettingsField field={field} value={value} />;
    case 'terms':
      return <TermsField field={field} value={value} />;
    case 'cases':
      return <CasesField field={field} value={value} />;
    case 'choice':
      return <ChoiceField field={field} value={value} />;
    case 'many':
      return <ManyField field={field} value={value} />;
    case 'number':
    case 'integer':
      return <NumberField field={field} value={value} />;
    case 'flag':
      return <FlagField field={field} value={value} />;
    case 'words':
      return <WordsField field={field} value={value} />;
    case 'numbers':
      return <NumbersField field={field} value={value} />;
    case 'mapping':
      return <MappingField field={field} value={value} />;
    case 'model':
      return <ModelField field={field} value={value} />;
    case 'dictionary':
      return <DictionaryField field={field} value={value} />;
    case 'frozen':
      return <FrozenField field={field} value={value} />;
    case 'upload':
      return <UploadField field={field} value={value} />;
    case 'dataset':
      return <DatasetField field={field} value={value} />;
    case 'formula':
      return <FormulaField field={field} value={value} />;
    case 'blocks':
      return <BlocksField field={field} value={value} />;
    case 'matched':
      return <MatchedField field={field} value={value} />;
    case 'matrix':
      return <MatrixField field={field} value={value} />;
    case 'moment':
      return <MomentField field={field} value={value} />;
    case 'paths':
      return <PathsField field={field} value={value} />;
    case 'records':
      return <RecordsField field={field} value={value} />;
    case 'timeline':
      return <TimelineField field={field} value={value} />;
    case 'tree':
      return <TreeField field={field} value={value} />;
    case 'within':
      return <WithinField field={field} value={value} />;
    default:
      return unknownType(field);
  }
}
