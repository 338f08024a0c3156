// @openai/agents-realtime in Node, its public API only: `node agents_realtime.mjs PLAN`, run where it is installed.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OpenAIRealtimeWebSocket, RealtimeAgent, RealtimeSession } from '@openai/agents-realtime';

const FRAME_MS = 40;
const FRAME_BYTES = FRAME_MS * 48;
const PATIENCE_MS = 30_000;

const folder = dirname(process.argv[2]);
const plan = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const audio = new Map();
const errors = [];
let toSay = Buffer.alloc(0);
let items = [];
let ended = 0;
let interrupted = 0;
let speaking = '';

const agent = new RealtimeAgent({ name: 'Interviewer', instructions: plan.instructions, voice: 'marin' });
const session = new RealtimeSession(agent, {
  transport: new OpenAIRealtimeWebSocket({ useInsecureApiKey: true }),
  model: plan.model,
  tracingDisabled: true,
  config: {
    outputModalities: ['audio'],
    audio: {
      input: {
        format: { type: 'audio/pcm', rate: 24000 },
        transcription: { model: 'gpt-transcribe' },
        turnDetection: { type: 'server_vad', silenceDurationMs: 600, createResponse: true, interruptResponse: true },
      },
      output: { format: { type: 'audio/pcm', rate: 24000 } },
    },
  },
});

session.on('audio', (event) => {
  const known = audio.get(speaking) ?? [];
  known.push(Buffer.from(event.data));
  audio.set(speaking, known);
});
session.on('audio_interrupted', () => (interrupted += 1));
session.on('history_updated', (history) => {
  items = history
    .filter((item) => item.type === 'message')
    .map((item) => ({
      id: item.itemId,
      role: item.role,
      text: item.content.map((part) => part.transcript ?? part.text ?? '').join(' ').trim(),
    }));
});
session.on('error', (event) => errors.push(JSON.stringify(event.error)));
session.on('transport_event', (event) => {
  // The item of a piece of sound is told with the piece before anybody may listen to it.
  if (event.type === 'response.output_audio.delta') speaking = event.item_id;
  if (event.type === 'response.done') ended += 1;
});

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const say = (number) => (toSay = Buffer.concat([toSay, readFileSync(join(folder, plan.said[number].pcm))]));
const heard = () => [...audio.values()].flat().length;
const missing = () => items.filter((item) => item.role === 'user' && item.text).length < plan.said.length + 1;

async function until(isTrue) {
  const end = Date.now() + PATIENCE_MS;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error('timed out');
    await pause(5);
  }
}

function frame() {
  const bytes = Buffer.alloc(FRAME_BYTES);
  toSay.copy(bytes, 0, 0, FRAME_BYTES);
  toSay = toSay.subarray(FRAME_BYTES);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + FRAME_BYTES);
}

async function hold() {
  for (const number of [0, 1]) {
    say(number);
    await until(() => ended > number);
  }
  const [spoken, before] = [heard(), ended];
  say(2);
  await until(() => heard() > spoken);
  say(3); // breaks in while the reply is still being made
  await until(() => interrupted > 0 && ended >= before + 2);
  const typed = ended;
  session.sendMessage(plan.typed);
  await until(() => ended > typed && !missing());
}

await session.connect({ apiKey: 'any-key', url: `${plan.url}/realtime?model=${plan.model}` });
const microphone = setInterval(() => session.sendAudio(frame()), FRAME_MS / plan.speed);
let problem = '';
try {
  await hold();
} catch (error) {
  problem = String(error.message);
}
clearInterval(microphone);
session.close();
for (const [id, pieces] of audio) writeFileSync(join(folder, `${id}.pcm`), Buffer.concat(pieces));
const files = Object.fromEntries([...audio.keys()].map((id) => [id, `${id}.pcm`]));
console.log(JSON.stringify({ items, audio: files, interrupted, errors, problem }));
process.exit(0);
