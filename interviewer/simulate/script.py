"""What the simulated interviewer says around its questions. `{s}` is a phrase of the guest's, `{topic}` the topic.

No line but a farewell may hold a closing phrase, and no line but a question may ask.
"""

WELCOMES = (
    "Hello and welcome, today is about {topic}, and I mostly want to listen, so take whatever turn you like.",
    "Hi, good to have you here: we are going to talk about {topic}, at your own pace and without a script.",
    "Welcome, this is a conversation about {topic}, with short questions from me and long answers welcome from you.",
    "Good to meet you, I'd like us to talk about {topic}; there are no right answers, just go where your stories go.",
)
WELCOMES_BACK = (
    "Good to hear you again.",
    "Hello again, I am glad that we go on.",
    "Welcome back, it is good to talk on.",
)
THREADS_AGAIN = (
    'Last time you said "{s}", and I have kept thinking about it.',
    'When we last talked you said "{s}", and we left it there.',
    'I would like to go back to where you said "{s}".',
)
STARTS = ("Let's begin.", "Let's start here.", "So, to begin.", "")

MIRRORS = (
    'You said "{s}", and that stuck with me.',
    'I hear you on "{s}".',
    'I think I see what you mean by "{s}".',
    'I will hold on to "{s}".',
    'That part about "{s}" says a lot.',
    'Okay, "{s}", that makes sense.',
    'Right, "{s}", I hadn\'t thought of it like that.',
)
LEADS = ('You said "{s}" - ', 'With "{s}" in mind, ')
ACKNOWLEDGEMENTS = (
    "I see, that makes sense to me.",
    "Right, that helps me see it.",
    "Okay, I follow you so far.",
    "Mm, I can see that from here.",
    "Thank you, that is clear to me.",
    "That gives me a good picture.",
    "I'm with you on all of that.",
    "Good, that puts it in its place for me.",
    "Mm-hm, I can follow that well.",
    "Thanks for spelling that out for me.",
    "Yes, I can see how that fits.",
    "Understood, and it is good to have it so plainly.",
    "I'm glad you brought that in.",
    "So that is how it hangs together.",
)
# By what was said: the kinds of signal in the guest's line.
ON_FEELINGS = (
    "I can hear how close that is to you.",
    "That can't have been easy to carry around.",
    "It sounds as if that stays with a person.",
)
ON_STORIES = (
    "I can picture the scene as you tell it.",
    "What a moment to have been there for.",
    "I could see that happening as you spoke.",
)
ON_DECISIONS = (
    "That was quite a choice to make.",
    "I see, so that is where you came down.",
    "It takes something to settle on that.",
)
ON_FIGURES = (
    "That is a number to keep in mind.",
    "It helps to hear how much it was.",
    "Good to have the size of it.",
)
ON_DOUBTS = (
    "I see that you don't take it at face value.",
    "There is some caution in how you say that.",
    "So there is another side to it.",
)
ON_REFUSALS = (
    "Sure, let's leave that.",
    "No problem, we can leave it there.",
    "That's fine, we go on to something else.",
    "Of course, no need to answer that.",
    "All right, I'll put that one aside.",
    "Fair enough, something different then.",
)
ELSEWHERE = (
    "What would you rather talk about?",
    "Is there another part of this you'd like to tell?",
    "What have we not come to yet that matters to you?",
    "Which other side of this should we look at?",
)
RETURNS = (
    "I want to come back to something.",
    "Let me go back to something we touched on.",
    "There is something I'd like to return to.",
    "I'm coming back to an earlier point on purpose.",
    "Let me circle back for a moment.",
)
LAST_ONES = ("One last thing from my side.", "There is room for one more.", "Just one short one before we stop.")
WANDERINGS = (
    "That is a lot to take in, and I like how plainly you put it.",
    "I could listen to this for a long while, there is so much in it.",
    "It reminds me how much of this work never shows from the outside.",
    "That really is something to think about, and I'm still turning it over.",
)

FOLLOW_UPS = (
    'What was behind "{s}"?',
    'What did "{s}" look like from where you stood?',
    'Can you say a bit more about "{s}"?',
    'How did "{s}" come about?',
    'What does "{s}" mean for you day to day?',
    'Could you give me an example of "{s}"?',
    'When you say "{s}", what do you see in front of you?',
    'What makes "{s}" stand out for you?',
)
OPEN_FOLLOW_UPS = (
    "What was that like for you?",
    "Can you give me an example of that?",
    "How did that sit with you?",
    "What was going on around you then?",
    "Can you say a bit more about that?",
    "What makes you say that?",
    "Where did that leave you?",
)
SECOND_QUESTIONS = (
    "And is there an example that comes to mind?",
    "And has anyone asked you that before?",
    "And does anybody close to you see it differently?",
    "And is that easy to say?",
    "And is there a story behind it?",
    "And do you talk about that with others?",
    "And how does that make you feel?",
    "And do people ask you about that often?",
)
LISTENING = (
    "I'm listening, so please go on, in whatever order it comes.",
    "Please go on, I don't want to break your thread here.",
    "Stay with that for as long as you like, I'm following.",
)
LAST_WORDS = (
    "Is there something you would like to add?",
    "Would you like to add anything before we stop?",
    "Is anything still missing that you would like to add?",
)
WINDING_DOWN = (
    "I'm glad we got to that, it rounds the picture off well.",
    "That is a good place to have arrived at, I think.",
    "I appreciate you putting it so clearly at the end.",
)

NUDGES = (
    "Take your time, there is no hurry at all.",
    "No rush, take all the time you need to think.",
    "It's fine to think for a while, I'm still here.",
    "Let it come to you, I'm happy to wait.",
)
PAUSES = (
    "We can also pause here, or stop for today, whichever suits you best.",
    "If you would rather take a break or end here, just tell me, either is fine.",
)
RESUMES = (
    "We were cut off for a moment - I'm back with you now.",
    "We were cut off for a moment - sorry about that, the line is fine again.",
    "I lost you for a moment there, but we are connected again.",
)
THREADS = (
    'You were just telling me about "{s}", so please pick it up from there.',
    'Your last words to me were about "{s}"; please carry on from that.',
)
OPEN_THREADS = ("Please carry on from where we were.", "Please go on from wherever you had got to.")
FAREWELLS = (
    "Thank you so much for talking with me about {topic}. I learned a lot from you. Goodbye, and take care.",
    "That's all the time we have. Thank you so much for all you told me about {topic}. Take care, and goodbye.",
    "I'm afraid that's all the time there is for {topic} today. Thank you so much for your patience and your stories. "
    "Goodbye.",
    "We have reached the end. Thank you so much for letting me into {topic}. It was great talking to you, goodbye.",
)
