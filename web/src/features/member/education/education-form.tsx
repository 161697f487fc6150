/** One proof of three: a code to the school mailbox, the number of an online report of 学信网, or a photo of a card. */
import { UploadOutlined } from '@ant-design/icons';
import type { EduAuth, EduBody, EduKind } from '@hengxi/server/membership/schema';
import { useMutation } from '@tanstack/react-query';
import { Button, Input, Radio, Segmented } from 'antd';
import { useEffect, useRef, useState } from 'react';

import { ApiError, errorText } from '../../../lib/api.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import { PaperInput } from '../../../ui/paper-input.tsx';
import { FormLine } from '../form-line.tsx';
import { educationQuery, sendEducation, sendEduCode, sendEduProof } from '../queries.ts';
import styles from '../sections.module.css';
import { type FaultsOf, useDraft } from '../use-draft.ts';

const WAYS: Record<EduKind, string> = { email: '学校邮箱', chsi: '学信网报告', document: '师生证件' };
const RESEND_SECONDS = 60;

interface Draft {
  kind: EduKind;
  role: 'student' | 'teacher';
  name: string;
  school: string;
  email: string;
  /** Empty until a code was sent. */
  verify_key: string;
  verify_code: string;
  chsi_code: string;
  proof: { id: number; name: string } | null;
}

type Faults = FaultsOf<Draft>;

/** What is missing, field by field. */
export function educationFaults(draft: Draft): Faults {
  const { kind } = draft;
  const hasKey = draft.verify_key !== '';
  return {
    ...(draft.name.trim() === '' ? { name: '请填写姓名' } : {}),
    ...(draft.school.trim().length < 2 ? { school: '请填写学校全称' } : {}),
    ...(kind === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(draft.email.trim())
      ? { email: '请输入正确的邮箱' }
      : {}),
    ...(kind === 'email' && !hasKey ? { verify_code: '请先获取验证码' } : {}),
    ...(kind === 'email' && hasKey && draft.verify_code.trim() === '' ? { verify_code: '验证码不能为空' } : {}),
    ...(kind === 'chsi' && !/^[A-Z0-9]{12,20}$/i.test(draft.chsi_code.trim())
      ? { chsi_code: '在线验证码为 12–20 位字母或数字' }
      : {}),
    ...(kind === 'document' && draft.proof === null ? { proof: '请上传学生证或教师证照片' } : {}),
  };
}

export function EducationForm({ known, onDone }: { known: EduAuth; onDone: () => void }) {
  const start: Draft = {
    kind: known.kind ?? known.ways[0] ?? 'document',
    role: known.role ?? 'student',
    name: known.name ?? '',
    school: known.school ?? '',
    email: known.email ?? '',
    verify_key: '',
    verify_code: '',
    chsi_code: known.chsi_code ?? '',
    proof: null,
  };
  const { draft, faults, setFaults, change, isGood } = useDraft(start, educationFaults);
  const send = useMutation({
    mutationFn: (body: EduBody) => sendEducation(body, known.status === 2),
    onSuccess: (next) => {
      queryClient.setQueryData(educationQuery.queryKey, next);
      void queryClient.invalidateQueries({ queryKey: ['me'] });
      toast.done(next.status === 1 ? '认证已通过' : '已提交，请等待审核');
      onDone();
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      if (error.code === 20012 || error.code === 20013) setFaults({ verify_code: error.message });
      else if (error.code === 30262) setFaults({ email: error.message });
      else if (error.code === 30261) toast.warn(error.message);
    },
  });
  const submit = () => {
    if (!isGood()) return;
    const { kind, role, verify_key, proof } = draft;
    const body: EduBody = { kind, role, name: draft.name.trim(), school: draft.school.trim() };
    if (kind === 'email')
      Object.assign(body, { email: draft.email.trim(), verify_key, verify_code: draft.verify_code.trim() });
    else if (kind === 'chsi') body.chsi_code = draft.chsi_code.trim().toUpperCase();
    else if (proof) body.proof = proof.id;
    send.mutate(body);
  };
  return (
    <div className={styles['form']}>
      <Radio.Group
        aria-label="身份"
        value={draft.role}
        options={[
          { value: 'student', label: '学生' },
          { value: 'teacher', label: '教师' },
        ]}
        onChange={(event) => change({ role: event.target.value === 'teacher' ? 'teacher' : 'student' })}
      />
      <FormLine label="姓名" fault={faults.name}>
        {(id) => <Input id={id} maxLength={30} value={draft.name} onChange={(e) => change({ name: e.target.value })} />}
      </FormLine>
      <FormLine label="学校全称" fault={faults.school}>
        {(id) => (
          <Input id={id} maxLength={60} value={draft.school} onChange={(e) => change({ school: e.target.value })} />
        )}
      </FormLine>
      <Segmented
        aria-label="认证方式"
        block
        value={draft.kind}
        options={known.ways.map((way) => ({ value: way, label: WAYS[way] }))}
        onChange={(kind) => {
          setFaults({});
          change({ kind });
        }}
      />
      {draft.kind === 'email' ? <MailProof draft={draft} faults={faults} change={change} onFault={setFaults} /> : null}
      {draft.kind === 'chsi' ? (
        <FormLine label="学信网在线验证码" fault={faults.chsi_code}>
          {(id) => (
            <Input
              id={id}
              maxLength={20}
              value={draft.chsi_code}
              placeholder="在线验证报告上的 16 位编号"
              onChange={(e) => change({ chsi_code: e.target.value })}
            />
          )}
        </FormLine>
      ) : null}
      {draft.kind === 'document' ? (
        <PhotoProof
          name={draft.proof?.name ?? null}
          fault={faults.proof}
          onMade={(id, name) => change({ proof: { id, name } })}
        />
      ) : null}
      <div className={styles['acts']}>
        <Button type="primary" loading={send.isPending} onClick={submit}>
          提交认证
        </Button>
        <Button onClick={onDone}>取消</Button>
      </div>
    </div>
  );
}

interface MailProofProps {
  draft: Draft;
  faults: Faults;
  change: (part: Partial<Draft>) => void;
  onFault: (faults: Faults) => void;
}

function MailProof({ draft, faults, change, onFault }: MailProofProps) {
  const [left, setLeft] = useState(0);
  const isCounting = left > 0;
  useEffect(() => {
    if (!isCounting) return undefined;
    const timer = setInterval(() => setLeft((old) => Math.max(0, old - 1)), 1000);
    return () => clearInterval(timer);
  }, [isCounting]);
  const send = useMutation({
    mutationFn: () => sendEduCode(draft.email.trim()),
    onSuccess: ({ verify_key }) => {
      change({ verify_key });
      setLeft(RESEND_SECONDS);
    },
    onError: (error) => onFault({ email: errorText(error) }),
  });
  return (
    <>
      <FormLine label="学校邮箱" fault={faults.email}>
        {(id) => (
          <Input
            id={id}
            type="email"
            maxLength={120}
            value={draft.email}
            placeholder="如 name@school.edu.cn"
            onChange={(e) => change({ email: e.target.value })}
          />
        )}
      </FormLine>
      <FormLine label="验证码" fault={faults.verify_code}>
        {(id) => (
          <div className={styles['inline']}>
            <Input
              id={id}
              inputMode="numeric"
              maxLength={6}
              value={draft.verify_code}
              onChange={(e) => change({ verify_code: e.target.value.replaceAll(/\D/g, '') })}
            />
            <Button
              disabled={isCounting || draft.email.trim() === ''}
              loading={send.isPending}
              onClick={() => send.mutate()}
            >
              {isCounting ? `重新发送(${left})` : '发送验证码'}
            </Button>
          </div>
        )}
      </FormLine>
    </>
  );
}

function PhotoProof({
  name,
  fault,
  onMade,
}: {
  name: string | null;
  fault: string | undefined;
  onMade: (id: number, name: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const upload = useMutation({
    mutationFn: sendEduProof,
    onSuccess: ({ proof }, file) => onMade(proof, file.name),
  });
  return (
    <div className={styles['label']}>
      <span>证件照片（请遮住身份证号和学号后四位）</span>
      <PaperInput input={input} onFile={(file) => upload.mutate(file)} onFault={toast.warn} />
      <div className={styles['acts']}>
        <Button icon={<UploadOutlined aria-hidden />} loading={upload.isPending} onClick={() => input.current?.click()}>
          {name === null ? '上传照片' : '换一张'}
        </Button>
        <span className={styles['quiet']}>{name ?? '图片不超过 5 MB，PDF 不超过 10 MB；决定后 30 天删除'}</span>
      </div>
      {fault ? (
        <span className={styles['fault']} role="alert">
          {fault}
        </span>
      ) : null}
    </div>
  );
}
