-- What the columns of the views mean, and those that are asked for most of the tables.

COMMENT ON COLUMN question_state.question_id IS 'The question; its identity within the call.';
COMMENT ON COLUMN question_state.text IS 'The question as the ledger registered it.';
COMMENT ON COLUMN question_state.planned IS 'Whether the plan held it.';
COMMENT ON COLUMN question_state.priority IS '1 (first) to 3.';
COMMENT ON COLUMN question_state.source IS 'plan, gap, contradiction, research, voice, ...';
COMMENT ON COLUMN question_state.section_id IS 'Section of the plan; NULL if it came up.';
COMMENT ON COLUMN question_state.status IS 'delivered, pending (an attempt is open), held or available.';
COMMENT ON COLUMN question_state.attempts IS 'How often it was tried.';
COMMENT ON COLUMN question_state.holds IS 'How many of the attempts ended held.';
COMMENT ON COLUMN question_state.last_reason IS 'Why the latest attempt was released or held; empty if it was not.';
COMMENT ON COLUMN question_state.furthest_stage IS 'Furthest stage of any attempt: 0 none, 1 selected to 5 delivered.';
COMMENT ON COLUMN question_state.covered IS 'Asked in other words while another question was meant.';
COMMENT ON COLUMN question_state.answered IS 'The guest answered it.';
COMMENT ON COLUMN question_state.volunteered IS 'Answered before it was asked.';
COMMENT ON COLUMN question_state.declined IS 'The guest did not want it.';
COMMENT ON COLUMN question_state.claimed IS 'The guest said it was answered already.';
COMMENT ON COLUMN question_state.reconstructed IS 'Similarity to an old transcript that covers it, 0 to 1; NULL if none does.';
COMMENT ON COLUMN question_state.effective_priority IS 'Priority, put back by what was volunteered or reconstructed; lower comes first.';
COMMENT ON COLUMN question_state.registered_seq IS 'The ledger event that registered it.';

COMMENT ON COLUMN attempts.stage IS 'Furthest stage: 1 selected, 2 accepted, 3 started, 4 generated, 5 delivered.';
COMMENT ON COLUMN attempts.outcome IS 'open, delivered, released or held.';
COMMENT ON COLUMN attempts.reason IS 'Why it was released or held.';
COMMENT ON COLUMN attempts.response_id IS 'The reply it was started under.';
COMMENT ON COLUMN attempts.heard_ms IS 'How much of the reply was heard.';
COMMENT ON COLUMN attempts.selected_seq IS 'The ledger event it began with.';
COMMENT ON COLUMN attempts.closed_seq IS 'The ledger event it ended with; NULL while open.';

COMMENT ON COLUMN coverage.planned IS 'Planned questions.';
COMMENT ON COLUMN coverage.selected IS 'Of those, tried at least once.';
COMMENT ON COLUMN coverage.delivered IS 'Of those, asked and heard.';
COMMENT ON COLUMN coverage.answered IS 'Of those, answered.';
COMMENT ON COLUMN coverage.weight IS 'Sum of 4 - priority.';
COMMENT ON COLUMN coverage.selected_share IS 'Share of the weight, 0 to 1.';
COMMENT ON COLUMN coverage.delivered_share IS 'Share of the weight, 0 to 1.';
COMMENT ON COLUMN coverage.answered_share IS 'Share of the weight, 0 to 1.';

COMMENT ON COLUMN delivery_funnel.selected IS 'Attempts.';
COMMENT ON COLUMN delivery_funnel.accepted_share IS 'Of the selected, 0 to 1.';
COMMENT ON COLUMN delivery_funnel.started_share IS 'Of the accepted, 0 to 1.';
COMMENT ON COLUMN delivery_funnel.generated_share IS 'Of the started, 0 to 1.';
COMMENT ON COLUMN delivery_funnel.delivered_share IS 'Of the generated, 0 to 1.';

COMMENT ON COLUMN agent_latency.n IS 'Runs that came to an end.';
COMMENT ON COLUMN agent_latency.p50_ms IS 'Median.';
COMMENT ON COLUMN agent_latency.p95_ms IS '95th percentile.';
COMMENT ON COLUMN agent_latency.max_ms IS 'Longest.';
COMMENT ON COLUMN agent_latency.fallbacks IS 'How often a fallback stood in.';

COMMENT ON COLUMN usage.spender IS 'An agent, the voice, or late answers.';
COMMENT ON COLUMN usage.runs IS 'Runs of the agent, or replies of the voice.';
COMMENT ON COLUMN usage.unpriced IS 'Runs without a known price.';
COMMENT ON COLUMN usage.cached_tokens IS 'Those of the input tokens that were read from a cache.';
COMMENT ON COLUMN usage.cost_usd IS 'US dollars by the table of prices.';
COMMENT ON COLUMN usage.retries IS 'Calls of the model made again after a failure.';

COMMENT ON COLUMN heard.seq IS 'The ledger event.';
COMMENT ON COLUMN heard.text IS 'The words that were heard.';
COMMENT ON COLUMN heard.question_id IS 'The question it was taken for; NULL if none.';
COMMENT ON COLUMN heard.basis IS 'protocol (the service says so) or inferred.';

COMMENT ON COLUMN transcript.number IS 'Order in the conversation, from 1.';
COMMENT ON COLUMN transcript.speaker IS 'interviewer or guest.';
COMMENT ON COLUMN transcript.text IS 'For the interviewer what was generated; see heard.';
COMMENT ON COLUMN transcript.heard IS 'For the interviewer the part that was played.';
COMMENT ON COLUMN transcript.started_ms IS 'Since the call began.';
COMMENT ON COLUMN transcript.ended_ms IS 'Since the call began; NULL while it lasts.';

COMMENT ON COLUMN calls.guest IS 'Who was interviewed.';
COMMENT ON COLUMN calls.topic IS 'Topic of the plan.';
COMMENT ON COLUMN calls.started_at IS 'When it began, UTC.';
COMMENT ON COLUMN calls.package_version IS 'Version that recorded it.';

COMMENT ON COLUMN turns.turn_id IS 'Identity within the call.';
COMMENT ON COLUMN turns.speaker IS 'interviewer or guest.';
COMMENT ON COLUMN turns.started_ms IS 'Since the call began.';
COMMENT ON COLUMN turns.ended_ms IS 'Since the call began; NULL while it lasts.';
COMMENT ON COLUMN turns.question_id IS 'The question it asks, if one.';

COMMENT ON COLUMN questions.text IS 'The question as planned or registered.';
COMMENT ON COLUMN questions.role IS 'backbone or follow_up.';
